// F: its tool has no tests yet.
export const main = {
    namespace: 'weather',
    name: 'Ice',
    description: 'Thickness of ice at a place',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '91a2028a',
    root: 'https://api.harbour.example',
    tools: {
        getIce: {
            method: 'GET',
            path: '/ice/{{place}}',
            description: 'Gives the thickness of ice at a place',
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
                searchHint: 'gives the thickness of ice at a place',
                aliases: [],
                alwaysLoad: false
            },
            tests: []
        }
    }
}
