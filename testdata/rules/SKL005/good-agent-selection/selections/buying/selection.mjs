export const selection = {
    namespace: 'buying',
    name: 'buying',
    version: 'flowmcp/4.0.0',
    description: 'Prices of articles',
    whenToUse: 'Activate this selection when the user wants to buy something.',
    tools: [ 'shop/tool/getPrice' ],
    skills: {
        'price-report': { file: './skills/price-report.mjs' }
    },
    resources: [ 'shop/resource/articles' ],
    prompts: []
}
