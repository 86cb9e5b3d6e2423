export const selection = {
    namespace: 'evm-research',
    name: 'evm-research',
    version: 'flowmcp/4.0.0',
    description: 'Tools for EVM contract and token research',
    whenToUse: 'When the user asks for one of these tools',
    tools: [ 'coingecko-com/tool/simplePrice' ],
    skills: [],
    resources: [],
    prompts: []
}
