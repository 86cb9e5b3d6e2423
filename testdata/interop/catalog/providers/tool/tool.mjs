export const main = {
    namespace: 'tool',
    name: 'Tool',
    description: 'The tool that would log',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '74047618',
    root: 'https://localhost:18443',
    docs: [ 'https://modelcontextprotocol.io' ],
    tags: [ 'conformance' ],
    tools: {
        listRows: {
            method: 'GET',
            path: '/interop/rows',
            description: 'Lists many rows',
            parameters: [
                { position: { key: 'limit', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'number()', options: [ 'min(1)', 'max(5000)', 'default(5000)' ] } }
            ],
            output: { mimeType: 'application/json', schema: { type: 'array', items: { type: 'object', properties: { id: { type: 'number', description: 'Its number' } } } } },
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'many rows', aliases: [], alwaysLoad: false },
            tests: [
                { _description: 'A few', limit: 3 }
            ]
        },
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
