export const content = `
Run a query with {{tool:executeQuery}}, then ask for its results.
`
