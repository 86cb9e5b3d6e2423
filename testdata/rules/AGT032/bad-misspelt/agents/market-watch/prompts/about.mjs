export const content = `This agent knows the prices of the demo shop.`
