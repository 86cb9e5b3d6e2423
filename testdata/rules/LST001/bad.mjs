export const list = null
