export const content = `Name the currency of each price.`
