// F, with an error: passes its tests all the same.
export const main = {
    namespace: 'ferry',
    name: 'Lines',
    description: 'Lines of a ferry and their stops',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '6a031c95',
    root: 'https://api.harbour.example',
    tools: {
        getLine: {
            method: 'FETCH',
            path: '/lines/{{line}}',
            description: 'Gives the stops of a line',
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
                searchHint: 'gives the stops of a line',
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
