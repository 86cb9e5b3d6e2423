export const skil = `This agent knows the prices of the demo shop.`
