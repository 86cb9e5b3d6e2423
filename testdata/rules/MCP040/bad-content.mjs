export const content = `Say what {{input:article}} costs,\u200b in one sentence.`
