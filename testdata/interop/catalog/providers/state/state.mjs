export const main = {
    namespace: 'state',
    name: 'State',
    description: 'Tools that need a confirmation',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: 'c535a47d',
    root: 'https://localhost:18443',
    docs: [ 'https://modelcontextprotocol.io' ],
    tags: [ 'conformance' ],
    tools: {
        testInputRequiredResultRequest: {
            method: 'GET',
            path: '/interop/confirm',
            description: 'Says that it was confirmed',
            parameters: [
                { position: { key: 'ok', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'boolean()', options: [] } }
            ],
            output: { mimeType: 'text/plain', schema: { type: 'string', description: 'The text' } },
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'conformance test', aliases: [], alwaysLoad: false },
            tests: [
                { _description: 'Confirmed', ok: true }
            ]
        },
        testInputRequiredResultTampered: {
            method: 'GET',
            path: '/interop/confirm',
            description: 'Says that it was confirmed',
            parameters: [
                { position: { key: 'ok', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'boolean()', options: [] } }
            ],
            output: { mimeType: 'text/plain', schema: { type: 'string', description: 'The text' } },
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'conformance test', aliases: [], alwaysLoad: false },
            tests: [
                { _description: 'Confirmed', ok: true }
            ]
        }
    }
}
