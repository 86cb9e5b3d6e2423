export const agent = {
    name: 'crypto-research',
    description: 'Cross-provider crypto analysis agent',
    version: 'flowmcp/4.0.0',
    model: 'anthropic/claude-sonnet-4-5-20250929',
    systemPrompt: 'You answer questions about the prices of coins.',
    tools: {
        'coingecko-com/tool/simplePrice': null,
        'coingecko-com/tool/getCoinMarkets': null
    },
    resources: {},
    prompts: {},
    skills: {},
    tests: [
        {
            _description: 'One price',
            input: 'What is Ethereum worth?',
            expectedTools: [ 'coingecko-com/tool/simplePrice' ],
            expectedContent: [ 'USD' ]
        },
        {
            _description: 'Many prices',
            input: 'What are coins worth?',
            expectedTools: [ 'coingecko-com/tool/getCoinMarkets' ],
            expectedContent: [ 'USD' ]
        },
        {
            _description: 'One among many',
            input: 'Is Ethereum worth more than others?',
            expectedTools: [ 'coingecko-com/tool/simplePrice', 'coingecko-com/tool/getCoinMarkets' ],
            expectedContent: [ 'USD' ]
        }
    ]
}
