export const main = {
    namespace: 'text',
    name: 'Text',
    description: 'The tool whose answer is a text',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: 'f4928a26',
    root: 'https://localhost:18443',
    docs: [ 'https://modelcontextprotocol.io' ],
    tags: [ 'conformance' ],
    tools: {
        testSimple: {
            method: 'GET',
            path: '/interop/text',
            description: 'Answers with a text',
            parameters: [],
            output: { mimeType: 'text/plain', schema: { type: 'string', description: 'The text' } },
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'conformance test', aliases: [], alwaysLoad: false },
            tests: [
                { _description: 'As the suite calls it' }
            ]
        }
    }
}
