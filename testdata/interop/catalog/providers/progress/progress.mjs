export const main = {
    namespace: 'progress',
    name: 'Progress',
    description: 'The tool that takes its time',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '5e953598',
    root: 'https://localhost:18443',
    docs: [ 'https://modelcontextprotocol.io' ],
    tags: [ 'conformance' ],
    tools: {
        testToolWith: {
            method: 'GET',
            path: '/interop/slow',
            description: 'Takes a few seconds',
            parameters: [],
            output: { mimeType: 'text/plain', schema: { type: 'string', description: 'The text' } },
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'conformance test', aliases: [], alwaysLoad: false },
            tests: [
                { _description: 'As the suite calls it' }
            ]
        }
    }
}
