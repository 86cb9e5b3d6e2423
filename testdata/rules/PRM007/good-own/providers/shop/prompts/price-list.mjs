export const content = `
Use {{tool:getPrice}}, or in full {{tool:shop/getPrice}}, for each of {{input:articles}}.
Numbers of articles are in {{resource:articles}}.
`
