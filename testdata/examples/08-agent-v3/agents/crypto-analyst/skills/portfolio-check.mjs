const content = `
Look at {{input:token}} with {{tool:etherscan/getContractAbi}} and report what you find.
`

export const skill = {
    name: 'portfolio-check',
    version: 'flowmcp/4.0.0',
    type: 'agent',
    description: 'Looks at a token',
    whenToUse: 'When the user asks about a token',
    requires: { tools: [ 'etherscan/tool/getContractAbi' ], resources: [], external: [] },
    input: [
        { key: 'token', type: 'string', description: 'Symbol of the token', required: true }
    ],
    output: 'A report about the token',
    content
}
