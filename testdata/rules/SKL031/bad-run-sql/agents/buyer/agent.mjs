export const agent = {
    name: 'buyer',
    description: 'Compares the prices of articles',
    version: 'flowmcp/4.0.0',
    model: 'anthropic/claude-sonnet-4-5-20250929',
    systemPrompt: 'You compare prices. Name the article and the currency.',
    tools: {
        'shop/tool/getPrice': null,
        'shop/tool/getStock': null
    },
    resources: {
        'shop/resource/articles': null
    },
    skills: {
        'price-report': { file: './skills/price-report.mjs' }
    },
    tests: [
        {
            _description: 'One article',
            input: 'What does a lamp cost?',
            expectedTools: [ 'shop/tool/getPrice' ],
            expectedContent: [ 'lamp' ]
        },
        {
            _description: 'Two articles',
            input: 'What is dearer, a lamp or a chair?',
            expectedTools: [ 'shop/tool/getPrice' ],
            expectedContent: [ 'lamp', 'chair' ]
        },
        {
            _description: 'Price and stock of an article',
            input: 'What does a table cost, and is there one?',
            expectedTools: [ 'shop/tool/getPrice', 'shop/tool/getStock' ],
            expectedContent: [ 'table' ]
        }
    ]
}
