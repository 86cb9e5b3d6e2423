export const selection = {
    namespace: 'shopping',
    name: 'price-tools',
    version: 'flowmcp/4.0.0',
    description: 'What is needed to compare prices',
    whenToUse: 'When the user wants to know what an article costs.',
    tools: [ 'demo/tool/getPrice' ],
    skills: [],
    resources: [],
    prompts: []
}
