// No grade: its tests are skipped for want of a key.
export const main = {
    namespace: 'ferry',
    name: 'Tickets',
    description: 'Tickets of a ferry that are left',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '753d11e1',
    root: 'https://api.ferry.example',
    requiredServerParams: ['FERRY_KEY'],
    headers: { 'X-Key': '{{SERVER_PARAM:FERRY_KEY}}' },
    tools: {
        getTickets: {
            method: 'GET',
            path: '/tickets/{{line}}',
            description: 'Gives the number of tickets that are left',
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
                searchHint: 'gives the number of tickets that are left',
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
