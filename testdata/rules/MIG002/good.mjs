export const main = {
    namespace: 'harbour',
    name: 'Harbour',
    description: 'Ships in port',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '09cddc72',
    root: 'https://api.harbour.example',
    tools: {
        listShips: {
            method: 'GET',
            path: '/ships',
            description: 'Ships in port',
            parameters: [],
            meta: {
                isReadOnly: true, isConcurrencySafe: true, isDestructive: false,
                searchHint: 'ships in port', aliases: [], alwaysLoad: false
            },
            tests: [
                { _description: 'All ships' },
                { _description: 'All ships again' },
                { _description: 'All ships once more' }
            ],
            output: {
                mimeType: 'application/json',
                schema: { type: 'array', items: { type: 'string', description: 'Name of a ship' } }
            }
        }
    }
}
