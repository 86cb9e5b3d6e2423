const content = `
Write a {{input:length}} brief. The model of it:

{{prefill:text/tool/testSimple}}
`

export const skill = {
    name: 'brief',
    version: 'flowmcp/4.0.0',
    type: 'agent',
    description: 'Writes a brief after a model.',
    whenToUse: 'Somebody wants a brief.',
    requires: { tools: [ 'text/tool/testSimple' ], resources: [], external: [] },
    input: [
        { key: 'length', type: 'enum', description: 'How long it is', required: true, values: [ 'short', 'long' ] }
    ],
    prefill: [ { tool: 'text/tool/testSimple', params: {} } ],
    output: 'The brief.',
    content
}
