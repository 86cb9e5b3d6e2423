export const main = {
    namespace: 'harbour',
    name: 'Harbour',
    description: 'Ships in port',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: 'cfe00e15',
    root: 'https://api.harbour.example',
    tools: {
        listShips: {
            method: 'GET',
            path: '/ships',
            description: 'Ships in port',
            parameters: [
                { position: { key: 'flag', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'enum(DE,DK)', options: [ 'optional()' ] } }
            ],
            meta: {
                isReadOnly: true, isConcurrencySafe: true, isDestructive: false,
                searchHint: 'ships in port', aliases: [], alwaysLoad: false
            },
            tests: [
                { _description: 'Danish ships', flag: 'DK' },
                { _description: 'German ships', flag: 'DE' },
                { _description: 'All ships once more' }
            ],
            output: {
                mimeType: 'application/json',
                schema: { type: 'array', items: { type: 'string', description: 'Name of a ship' } }
            }
        }
    }
}
