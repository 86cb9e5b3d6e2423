export const skill = {
    name: 'compare-prices',
    version: 'flowmcp/4.0.0',
    type: 'namespace',
    description: 'Compares the prices of articles.',
    whenToUse: 'The user asks which article costs less.',
    requires: { tools: [], resources: [], external: [] },
    input: [],
    output: 'Markdown table with article and price.',
    content: '## Compare\n\nAsk for two articles, and say which one costs less.'
}
