// A prompt of the agent, tested with its model. The one that it refers to is
// delivered beside it.
const content = `
Write the morning brief of {{input:harbour}}: warnings for {{input:area}} from
{{tool:harbourlog/getWarnings}}, high waters from {{tool:tidewatch/getTides}}, one line each. How gauges
are found is in {{prompt:tidewatch/about}}. If a tool fails, say which, and go on with the others.
`

export const prompt = {
    name: 'daily-brief',
    version: 'flowmcp-prompt/1.0.0',
    agent: 'harbour-master',
    description: 'The morning brief of a harbour: warnings and tides',
    testedWith: 'anthropic/claude-sonnet-4-5-20250929',
    dependsOn: ['harbourlog/tool/getWarnings', 'tidewatch/tool/getTides'],
    references: ['tidewatch/prompt/about'],
    content
}
