// B, and one of two tools fails: it is not to be deployed as it is.
export const main = {
    namespace: 'harbour',
    name: 'Cranes',
    description: 'Cranes of a harbour and their loads',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '7414a85a',
    root: 'https://api.harbour.example',
    tools: {
        getCranes: {
            method: 'GET',
            path: '/cranes/{{harbour}}',
            description: 'Lists the cranes of a harbour',
            parameters: [
                {
                    position: { key: 'harbour', value: '{{USER_PARAM}}', location: 'insert' },
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
                searchHint: 'lists the cranes of a harbour',
                aliases: [],
                alwaysLoad: false
            },
            tests: [
                { _description: 'In Oslo', harbour: 'oslo' },
                { _description: 'In Bergen', harbour: 'bergen' },
                { _description: 'In Tromso', harbour: 'tromso' }
            ]
        },
        getLoads: {
            method: 'GET',
            path: '/loads/{{harbour}}',
            description: 'Gives the load of each crane of a harbour',
            parameters: [
                {
                    position: { key: 'harbour', value: '{{USER_PARAM}}', location: 'insert' },
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
                searchHint: 'gives the load of each crane of a harbour',
                aliases: [],
                alwaysLoad: false
            },
            tests: [
                { _description: 'In Oslo', harbour: 'oslo' },
                { _description: 'In Bergen', harbour: 'bergen' },
                { _description: 'In Tromso', harbour: 'tromso' }
            ]
        }
    }
}
