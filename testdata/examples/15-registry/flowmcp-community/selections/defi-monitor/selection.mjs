export const selection = {
    namespace: 'defi-monitor',
    name: 'defi-monitor',
    version: 'flowmcp/4.0.0',
    description: 'Tools for DeFi protocol monitoring',
    whenToUse: 'When the user asks for one of these tools',
    tools: [ 'coingecko-com/tool/getCoinMarkets' ],
    skills: [],
    resources: [],
    prompts: []
}
