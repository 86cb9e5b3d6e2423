export const main = 'demo'
