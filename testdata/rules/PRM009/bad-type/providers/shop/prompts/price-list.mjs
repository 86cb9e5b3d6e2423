export const content = `
Use {{tools:getPrice}} at {{HH:MM}}, or in full {{tool:shop/getPrice}}, for each of {{input:articles}}.
Numbers of articles are in {{resource:articles}}.
`
