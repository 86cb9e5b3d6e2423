// A, and still among the new schemas.
export const main = {
    namespace: 'weather',
    name: 'Wind',
    description: 'Wind at a place, measured each hour',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: 'ee639866',
    root: 'https://api.harbour.example',
    tools: {
        getWind: {
            method: 'GET',
            path: '/wind/{{place}}',
            description: 'Gives speed and direction of the wind at a place',
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
                searchHint: 'gives speed and direction of the wind at a place',
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
