export const selection = {
    namespace: 'buying',
    name: 'buying',
    version: 'flowmcp/4.0.0',
    description: 'Prices of articles',
    whenToUse: 'Activate this selection when the user wants to buy something.',
    tools: [ 'shop/tool/getPrice' ],
    skills: {
        'buying/skill/price-report': null
    },
    resources: [ 'shop/resource/articles' ],
    prompts: []
}
