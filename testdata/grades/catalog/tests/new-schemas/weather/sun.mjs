// No grade: its tests were not run.
export const main = {
    namespace: 'weather',
    name: 'Sun',
    description: 'Hours of sun at a place',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '256c2815',
    root: 'https://api.harbour.example',
    tools: {
        getSun: {
            method: 'GET',
            path: '/sun/{{place}}',
            description: 'Gives the hours of sun at a place',
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
                searchHint: 'gives the hours of sun at a place',
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
