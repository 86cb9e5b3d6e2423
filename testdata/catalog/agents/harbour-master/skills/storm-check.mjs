// A skill of the agent: its names are those of the agent's own members.
const content = `
Warnings that hold in {{input:area}}: {{prefill:harbourlog/tool/getWarnings}}

1. Say each warning in one sentence, the worst first.
2. For tonight's tides ask this tool, with the gauge that the user names:
{{tool:getTides}}
3. Advise to stay where a warning of a storm and low water come together. The last word is that of
   {{resource:duties}}.
`

export const skill = {
    name: 'storm-check',
    version: 'flowmcp/4.0.0',
    type: 'agent',
    description: 'Says whether a ship should stay in the harbour.',
    whenToUse: 'The user asks whether it is safe to leave.',
    testedWith: 'anthropic/claude-sonnet-4-5-20250929',
    requires: {
        tools: ['getTides'],
        resources: ['duties'],
        external: []
    },
    input: [
        { key: 'area', type: 'enum', description: 'Sea area', required: true, values: ['german-bight', 'dogger'] }
    ],
    prefill: [
        { tool: 'harbourlog/tool/getWarnings', params: { area: '{{input:area}}' } }
    ],
    output: 'An advice to stay or to leave, with its reasons.',
    content
}
