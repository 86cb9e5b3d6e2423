// No grade: the answers are not what output.schema says.
export const main = {
    namespace: 'tides',
    name: 'Waves',
    description: 'Height of waves',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: 'c8553d9c',
    root: 'https://api.harbour.example',
    tools: {
        getWaves: {
            method: 'GET',
            path: '/waves/{{place}}',
            description: 'Gives the height of waves at a place',
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
                searchHint: 'gives the height of waves at a place',
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
