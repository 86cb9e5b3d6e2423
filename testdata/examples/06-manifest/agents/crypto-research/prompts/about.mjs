export const content = `
Ask for prices, contracts, balances and protocols.
`
