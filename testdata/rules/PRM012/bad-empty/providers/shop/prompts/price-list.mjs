export const content = `
`
