export const contents = `Say which article a price belongs to.`
