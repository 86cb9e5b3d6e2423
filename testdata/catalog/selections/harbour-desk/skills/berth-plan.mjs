// A skill of the selection: its names are those of the selection's members.
const content = `
Ships that are expected at {{input:harbour}}: {{prefill:harbourlog/tool/listArrivals}}

Berths there: {{prefill:harbourlog/tool/getBerths}}

Give each ship a berth that is free, in the order in which they arrive. A quay has its numbers from the
sea inwards. If there are more ships than berths, say which have to wait.

{{tool:getBerths}}
{{tool:listArrivals}}
`

export const skill = {
    name: 'berth-plan',
    version: 'flowmcp/4.0.0',
    type: 'selection',
    description: 'Gives the ships that are expected a berth each.',
    whenToUse: 'The user asks where the ships that come in should lie.',
    requires: {
        tools: ['listArrivals', 'getBerths'],
        resources: [],
        external: []
    },
    input: [
        { key: 'harbour', type: 'enum', description: 'The harbour', required: true, values: ['emden', 'husum', 'kiel'] }
    ],
    prefill: [
        { tool: 'harbourlog/tool/listArrivals', params: { harbour: '{{input:harbour}}' } },
        { tool: 'harbourlog/tool/getBerths', params: { harbour: '{{input:harbour}}' } }
    ],
    output: 'A table of ships, times of arrival and berths.',
    content
}
