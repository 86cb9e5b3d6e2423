const content = `
Ask {{tool:getPrice}} for the price of {{input:article}}.
`

export const skill = {
    name: 'price-check',
    version: 'flowmcp/4.0.0',
    type: 'agent',
    description: 'Look up the price of one article.',
    whenToUse: 'When the user asks what an article costs.',
    requires: { tools: [ 'getPrice' ], resources: [], external: [] },
    input: [
        { key: 'article', type: 'string', description: 'Name of the article, such as lamp', required: true }
    ],
    output: 'One sentence with the price in euro.',
    content
}
