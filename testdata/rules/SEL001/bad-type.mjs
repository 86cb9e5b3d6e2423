export const selection = {
    namespace: 'shopping',
    name: 'price-tools',
    version: 'flowmcp/4.0.0',
    description: 'What is needed to compare prices',
    whenToUse: true,
    tools: [ 'demo/tool/getPrice' ],
    skills: [],
    resources: [],
    prompts: []
}
