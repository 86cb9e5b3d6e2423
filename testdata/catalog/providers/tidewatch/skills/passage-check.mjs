// A skill of the namespace: any user of Tidewatch has it.
const content = `
## Step 1: The tide

The next high and low waters at {{input:station}}, as of now:

{{prefill:tidewatch/tool/getTides}}

## Step 2: The harbours

Harbours of {{input:area}} that are {{input:minDepth}} m deep or more:

{{prefill:tidewatch/resource/harbours}}

For another area, such as one of {{seaAreas:alias}}, find a gauge with this tool, and its tides with the next.

{{tool:listStations}}
{{tool:getTides}}

## Step 3: The answer

Name the deepest harbour and the next high water. Words that the user may not know are in
{{resource:handbook}}.
`

export const skill = {
    name: 'passage-check',
    version: 'flowmcp/4.0.0',
    type: 'namespace',
    description: 'Finds a harbour that is deep enough, and the next high water on the way there.',
    whenToUse: 'The user asks whether a ship can reach a harbour.',
    requires: {
        tools: ['listStations', 'getTides'],
        resources: ['harbours', 'handbook'],
        external: []
    },
    input: [
        { key: 'station', type: 'string', description: 'Id of the gauge', required: true },
        { key: 'area', type: 'enum', description: 'Sea area of the harbour', required: true, values: ['humber', 'german-bight', 'skagerrak'] },
        { key: 'minDepth', type: 'number', description: 'Depth in metres that the ship needs', required: false }
    ],
    prefill: [
        { tool: 'tidewatch/tool/getTides', params: { station: '{{input:station}}', days: 1 } },
        { tool: 'tidewatch/resource/harbours', params: { query: 'byArea', area: '{{input:area}}', minDepth: '{{input:minDepth}}' } }
    ],
    output: 'The name of a harbour, its depth, and the time of the next high water.',
    content
}
