// F: fares.mjs has the same tool.
export const main = {
    namespace: 'ferry',
    name: 'Resale',
    description: 'Fares of tickets that are sold again',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '7ad8baa5',
    root: 'https://api.harbour.example',
    tools: {
        getFare: {
            method: 'GET',
            path: '/resale/{{line}}',
            description: 'Gives the fare of a ticket that is sold again',
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
                searchHint: 'gives the fare of a ticket that is sold again',
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
