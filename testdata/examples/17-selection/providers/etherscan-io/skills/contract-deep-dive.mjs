const content = `
Look at {{input:token}} with {{tool:getSmartContractAbi}} and report what you find.
`

export const skill = {
    name: 'contract-deep-dive',
    version: 'flowmcp/4.0.0',
    type: 'namespace',
    description: 'Looks at a token',
    whenToUse: 'When the user asks about a token',
    requires: { tools: [ 'getSmartContractAbi' ], resources: [], external: [] },
    input: [
        { key: 'token', type: 'string', description: 'Symbol of the token', required: true }
    ],
    output: 'A report about the token',
    content
}
