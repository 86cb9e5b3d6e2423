// D: it says next to nothing.
export const main = {
    namespace: 'ferry',
    name: 'Fares',
    description: 'Fares',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '6736b8cb',
    root: 'https://api.harbour.example',
    tools: {
        getFare: {
            method: 'GET',
            path: '/fares/{{line}}',
            description: 'Gives a fare',
            parameters: [
                {
                    position: { key: 'line', value: '{{USER_PARAM}}', location: 'insert' },
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
                searchHint: 'gives a fare',
                aliases: [],
                alwaysLoad: false
            },
            tests: [
                { _description: 'In Oslo', line: 'oslo' },
                { _description: 'In Bergen', line: 'bergen' },
                { _description: 'In Tromso', line: 'tromso' }
            ]
        }
    }
}
