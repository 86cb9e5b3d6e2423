export const schema = {
    namespace: 'harbour',
    name: 'Harbour',
    description: 'Ships in port',
    flowMCP: '1.2.0',
    root: 'https://api.harbour.example',
    routes: {
        listShips: {
            method: 'GET',
            path: '/ships',
            description: 'Ships in port',
            parameters: [
                { position: { key: 'format', value: 'json', location: 'query' } },
                { position: { key: 'limit', value: '{{USER_PARAM}}', location: 'query' } }
            ],
            tests: [ { _description: 'Two ships', limit: 2 }, { _description: 'All ships' } ]
        }
    }
}
