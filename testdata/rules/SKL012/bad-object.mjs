const content = `
## Step 1: Fetch the prices

Call {{tool:getPrice}} for an article.
Names of articles are in {{resource:articles}}.
`

export const skill = {
    name: 'price-report',
    version: 'flowmcp/4.0.0',
    type: 'namespace',
    description: 'Reports the price of an article.',
    whenToUse: 'The user asks what an article costs.',
    requires: {
        tools: [ 'getPrice' ],
        resources: [ 'articles' ],
        external: []
    },
    input: { article: 'string' },
    output: 'Markdown table with article and price.',
    content
}
