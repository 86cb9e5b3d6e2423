// A, in production: registered, tested, scored.
export const main = {
    namespace: 'harbour',
    name: 'Berths',
    description: 'Free berths of a harbour, by the hour',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '30124ec1',
    root: 'https://api.harbour.example',
    tools: {
        getBerths: {
            method: 'GET',
            path: '/berths/{{harbour}}',
            description: 'Lists the free berths of a harbour',
            parameters: [
                {
                    position: { key: 'harbour', value: '{{USER_PARAM}}', location: 'insert' },
                    z: { primitive: 'string()', options: ['min(3)', 'max(20)'] }
                }
            ],
            output: {
                mimeType: 'application/json',
                schema: {
                    type: 'object',
                    properties: { value: { type: 'number', description: 'The answer, in metres' } }
                }
            },
            meta: {
                isReadOnly: true,
                isConcurrencySafe: true,
                isDestructive: false,
                searchHint: 'lists the free berths of a harbour',
                aliases: [],
                alwaysLoad: false
            },
            tests: [
                { _description: 'In Oslo', harbour: 'oslo' },
                { _description: 'In Bergen', harbour: 'bergen' },
                { _description: 'In Tromso', harbour: 'tromso' }
            ]
        }
    }
}
