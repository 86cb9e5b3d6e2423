export const content = `
Say how markets are.
`
