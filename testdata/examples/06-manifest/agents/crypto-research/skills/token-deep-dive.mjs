const content = `
Look at {{input:token}} with {{tool:coingecko-com/simplePrice}} and report what you find.
`

export const skill = {
    name: 'token-deep-dive',
    version: 'flowmcp/4.0.0',
    type: 'agent',
    description: 'Looks at a token',
    whenToUse: 'When the user asks about a token',
    requires: { tools: [ 'coingecko-com/tool/simplePrice' ], resources: [], external: [] },
    input: [
        { key: 'token', type: 'string', description: 'Symbol of the token', required: true }
    ],
    output: 'A report about the token',
    content
}
