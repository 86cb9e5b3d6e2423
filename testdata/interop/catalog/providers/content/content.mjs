export const main = {
    namespace: 'content',
    name: 'Content',
    description: 'The tools whose answers are no texts',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: 'f1b0c6cf',
    root: 'https://localhost:18443',
    docs: [ 'https://modelcontextprotocol.io' ],
    tags: [ 'conformance' ],
    tools: {
        testImage: {
            method: 'GET',
            path: '/interop/image',
            description: 'Answers with an image',
            parameters: [],
            output: { mimeType: 'image/png', schema: { type: 'string', format: 'base64', description: 'The image' } },
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'conformance test', aliases: [], alwaysLoad: false },
            tests: [
                { _description: 'As the suite calls it' }
            ]
        }
    }
}
