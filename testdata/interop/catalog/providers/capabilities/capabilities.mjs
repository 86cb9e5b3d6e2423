export const main = {
    namespace: 'capabilities',
    name: 'Capabilities',
    description: 'The tool that asks only clients that can be asked',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '2c987006',
    root: 'https://localhost:18443',
    docs: [ 'https://modelcontextprotocol.io' ],
    tags: [ 'conformance' ],
    tools: {
        testInputRequiredResult: {
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
        }
    }
}
