export const selection = null
