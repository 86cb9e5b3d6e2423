export const main = {
    namespace: 'handling',
    name: 'Handling',
    description: 'The tool that fails',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: 'd212e98d',
    root: 'https://localhost:18443',
    docs: [ 'https://modelcontextprotocol.io' ],
    tags: [ 'conformance' ],
    tools: {
        testError: {
            method: 'GET',
            path: '/interop/error',
            description: 'Always fails',
            parameters: [],
            output: { mimeType: 'application/json', schema: { type: 'object', properties: { text: { type: 'string', description: 'What it says' } } } },
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'conformance test', aliases: [], alwaysLoad: false },
            tests: [
                { _description: 'As the suite calls it' }
            ]
        }
    }
}
