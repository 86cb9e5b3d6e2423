export const main = {
    namespace: 'tool',
    name: 'Tool',
    description: 'The tool that would log',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '8e36fa8b',
    root: 'https://localhost:18443',
    docs: [ 'https://modelcontextprotocol.io' ],
    tags: [ 'conformance' ],
    tools: {
        testLogging: {
            method: 'GET',
            path: '/interop/text',
            description: 'Answers with a text, and logs nothing',
            parameters: [],
            output: { mimeType: 'text/plain', schema: { type: 'string', description: 'The text' } },
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'conformance test', aliases: [], alwaysLoad: false },
            tests: [
                { _description: 'As the suite calls it' }
            ]
        }
    }
}
