// No grade: the scores are of another version of the file.
export const main = {
    namespace: 'weather',
    name: 'Snow',
    description: 'Depth of snow at a place',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '6dcf792b',
    root: 'https://api.harbour.example',
    tools: {
        getSnow: {
            method: 'GET',
            path: '/snow/{{place}}',
            description: 'Gives the depth of snow at a place',
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
                searchHint: 'gives the depth of snow at a place',
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
