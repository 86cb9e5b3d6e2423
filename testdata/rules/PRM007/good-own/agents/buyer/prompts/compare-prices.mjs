const content = `
Fetch prices with {{tool:shop/getPrice}} for {{input:articles}}.
Numbers of articles are in {{resource:shop/articles}}.
Write the table as {{prompt:shop/price-list}} says.
Currencies are as in {{prompt:buyer/currencies}}, the rest in {{prompt:buyer/about}}.
`

export const prompt = {
    name: 'compare-prices',
    version: 'flowmcp-prompt/1.0.0',
    agent: 'buyer',
    description: 'Compares the prices of several articles',
    testedWith: 'anthropic/claude-sonnet-4-5-20250929',
    dependsOn: [ 'shop/tool/getPrice' ],
    references: [ 'shop/prompt/price-list', 'buyer/prompt/currencies', 'buyer/prompt/about' ],
    content
}
