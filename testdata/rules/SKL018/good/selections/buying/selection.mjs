export const selection = {
    namespace: 'buying',
    name: 'buying',
    version: 'flowmcp/4.0.0',
    description: 'Prices of articles',
    whenToUse: 'Activate this selection when the user wants to buy something.',
    tools: [ 'shop/tool/getPrice' ],
    skills: {
        'report-a': { file: './skills/report-a.mjs' },
        'report-b': { file: './skills/report-b.mjs' },
        'report-c': { file: './skills/report-c.mjs' },
        'report-d': { file: './skills/report-d.mjs' }
    },
    resources: [ 'shop/resource/articles' ],
    prompts: []
}
