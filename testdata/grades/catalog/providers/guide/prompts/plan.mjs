export const content = `First the tide, then the berth, then the crane.`
