export const main = {
    namespace: 'elicitation',
    name: 'Elicitation',
    description: 'Tools that ask for what they lack',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: 'd99c8c44',
    root: 'https://localhost:18443',
    docs: [ 'https://modelcontextprotocol.io' ],
    tags: [ 'conformance' ],
    tools: {
        test: {
            method: 'GET',
            path: '/interop/greet',
            description: 'Takes an address',
            parameters: [
                { position: { key: 'message', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'string()', options: [] } },
                { position: { key: 'username', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'string()', options: [] } },
                { position: { key: 'email', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'string()', options: [] } }
            ],
            output: { mimeType: 'text/plain', schema: { type: 'string', description: 'The text' } },
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'conformance test', aliases: [], alwaysLoad: false },
            tests: [
                { _description: 'Somebody', message: 'Who?', username: 'ada', email: 'ada@example.com' }
            ]
        },
        testStreaming: {
            method: 'GET',
            path: '/interop/greet',
            description: 'Greets somebody',
            parameters: [
                { position: { key: 'name', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'string()', options: [] } }
            ],
            output: { mimeType: 'text/plain', schema: { type: 'string', description: 'The text' } },
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'conformance test', aliases: [], alwaysLoad: false },
            tests: [
                { _description: 'Somebody', name: 'Ada' }
            ]
        },
        testInputRequiredResult: {
            method: 'GET',
            path: '/interop/greet',
            description: 'Greets somebody by name',
            parameters: [
                { position: { key: 'name', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'string()', options: [] } }
            ],
            output: { mimeType: 'text/plain', schema: { type: 'string', description: 'The text' } },
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'conformance test', aliases: [], alwaysLoad: false },
            tests: [
                { _description: 'Somebody', name: 'Ada' }
            ]
        }
    }
}
