export const main = {
    namespace: 'round',
    name: 'Round',
    description: 'The tool that asks twice',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '26dde9de',
    root: 'https://localhost:18443',
    docs: [ 'https://modelcontextprotocol.io' ],
    tags: [ 'conformance' ],
    tools: {
        testInputRequiredResultMulti: {
            method: 'GET',
            path: '/interop/greet',
            description: 'Greets somebody in a colour',
            parameters: [
                { position: { key: 'name', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'string()', options: [] } },
                { position: { key: 'color', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'string()', options: [] } }
            ],
            output: { mimeType: 'text/plain', schema: { type: 'string', description: 'The text' } },
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'conformance test', aliases: [], alwaysLoad: false },
            tests: [
                { _description: 'Somebody', name: 'Ada', color: 'blue' }
            ]
        }
    }
}
