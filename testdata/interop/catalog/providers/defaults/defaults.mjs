export const main = {
    namespace: 'defaults',
    name: 'Defaults',
    description: 'The tool with a default for each type',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: 'a3ea4870',
    root: 'https://localhost:18443',
    docs: [ 'https://modelcontextprotocol.io' ],
    tags: [ 'conformance' ],
    tools: {
        testElicitationSep1034: {
            method: 'GET',
            path: '/interop/greet',
            description: 'Takes a member',
            parameters: [
                { position: { key: 'name', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'string()', options: [] } },
                { position: { key: 'age', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'number()', options: [] } },
                { position: { key: 'score', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'number()', options: [] } },
                { position: { key: 'status', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'enum(active,inactive,pending)', options: [] } },
                { position: { key: 'verified', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'boolean()', options: [] } }
            ],
            output: { mimeType: 'text/plain', schema: { type: 'string', description: 'The text' } },
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'conformance test', aliases: [], alwaysLoad: false },
            tests: [
                { _description: 'Somebody', name: 'Ada', age: 36, score: 1, status: 'active', verified: true }
            ]
        }
    }
}
