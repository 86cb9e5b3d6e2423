export const prompt = null
