export const selection = {
    namespace: 'shopping',
    name: 'price-tools',
    version: 'flowmcp/4.0.0',
    description: 'What is needed to compare prices',
    whenToUse: 'When the user wants to know what an article costs.',
    tools: [ 'demo/tool/getPrice' ],
    skills: [
        {
            name: 'price-check',
            version: 'flowmcp/4.0.0',
            type: 'selection',
            description: 'Look up the price of one article.',
            whenToUse: 'When the user asks what an article costs.',
            input: [
                { key: 'article', type: 'string', description: 'Name of the article, such as lamp', required: true }
            ],
            content: 'Say what {{input:article}} costs.'
        }
    ],
    resources: [],
    prompts: []
}
