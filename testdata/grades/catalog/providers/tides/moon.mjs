// C, from version 3: research and creation count as done.
export const main = {
    namespace: 'tides',
    name: 'Moon',
    description: 'Phases of the moon and the tides they bring',
    version: '3.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '76e2ea62',
    root: 'https://api.harbour.example',
    tools: {
        getPhase: {
            method: 'GET',
            path: '/phases/{{place}}',
            description: 'Gives the phase of the moon at a place',
            parameters: [
                {
                    position: { key: 'place', value: '{{USER_PARAM}}', location: 'insert' },
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
                searchHint: 'gives the phase of the moon at a place',
                aliases: [],
                alwaysLoad: false
            },
            tests: [
                { _description: 'In Oslo', place: 'oslo' },
                { _description: 'In Bergen', place: 'bergen' },
                { _description: 'In Tromso', place: 'tromso' }
            ]
        }
    }
}
