// No grade: its tests fail.
export const main = {
    namespace: 'weather',
    name: 'Fog',
    description: 'Visibility at a place',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '1f07568f',
    root: 'https://api.harbour.example',
    tools: {
        getFog: {
            method: 'GET',
            path: '/fog/{{place}}',
            description: 'Gives the visibility at a place',
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
                searchHint: 'gives the visibility at a place',
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
