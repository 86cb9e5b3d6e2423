export const agent = {
    name: 'market-watch',
    description: 'Watches the prices of the demo shop and answers questions about them',
    version: 'flowmcp/4.0.0',
    model: 'anthropic/claude-sonnet-4-5-20250929',
    systemPrompt: 'You watch the prices of a shop. Say which article a price belongs to.',
    tools: {
        'demo/tool/listOffers': null
    },
    selections: [ 'shopping/selection/price-tools' ],
    tests: [
        {
            _description: 'One article',
            input: 'What does the lamp cost?',
            expectedTools: [ 'demo/tool/getPrice' ],
            expectedContent: [ 'lamp' ]
        },
        {
            _description: 'All offers',
            input: 'What is on sale today?',
            expectedTools: [ 'demo/tool/listOffers' ],
            expectedContent: [ 'sale' ]
        },
        {
            _description: 'An article and the offers',
            input: 'Is the lamp cheaper than usual?',
            expectedTools: [ 'demo/tool/getPrice', 'demo/tool/listOffers' ],
            expectedContent: [ 'lamp' ]
        }
    ]
}
