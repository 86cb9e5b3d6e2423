export const prompt = {
    name: 'compare-prices',
    version: 'flowmcp-prompt/1.0.0',
    agent: 'buyer',
    description: 'Compares the prices of several articles',
    testedWith: 'anthropic/claude-sonnet-4-5-20250929',
    dependsOn: [ 'shop/tool/getPrice' ],
    references: [ 'shop/prompt/price-list' ]
}
