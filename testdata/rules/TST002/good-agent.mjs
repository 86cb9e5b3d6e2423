export const agent = {
    name: 'shop-helper',
    description: 'Finds articles and their prices',
    version: 'flowmcp/4.0.0',
    model: 'anthropic/claude-sonnet-4-5-20250929',
    systemPrompt: 'You help customers of the demo shop.',
    tools: {
        'demo/tool/getPrice': null,
        'demo/tool/getStock': null
    },
    tests: [
        {
            _description: 'The price of one article',
            input: 'What does the lamp cost?',
            expectedTools: [ 'demo/tool/getPrice' ],
            expectedContent: [ 'euro' ]
        },
        {
            _description: 'Whether an article is there',
            input: 'Is the chair in stock?',
            expectedTools: [ 'demo/tool/getStock' ],
            expectedContent: [ 'stock' ]
        },
        {
            _description: 'Price and stock of two articles',
            input: 'Which of lamp and chair is cheaper, and are both in stock?',
            expectedTools: [ 'demo/tool/getPrice', 'demo/tool/getStock' ],
            expectedContent: [ 'lamp', 'chair' ]
        }
    ]
}
