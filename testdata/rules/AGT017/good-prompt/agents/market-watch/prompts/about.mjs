export const prompt = {
    name: 'about',
    version: 'flowmcp-prompt/1.0.0',
    agent: 'market-watch',
    description: 'What the agent knows about the prices of a shop.',
    testedWith: 'anthropic/claude-sonnet-4-5-20250929',
    dependsOn: [ 'demo/tool/getPrice' ],
    references: [],
    content: `This agent knows the prices of the demo shop.`
}
