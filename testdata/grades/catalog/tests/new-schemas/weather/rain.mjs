// No grade: not scored.
export const main = {
    namespace: 'weather',
    name: 'Rain',
    description: 'Rain of the last hour at a place',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '07226c86',
    root: 'https://api.harbour.example',
    tools: {
        getRain: {
            method: 'GET',
            path: '/rain/{{place}}',
            description: 'Gives the rain of the last hour at a place',
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
                searchHint: 'gives the rain of the last hour at a place',
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
