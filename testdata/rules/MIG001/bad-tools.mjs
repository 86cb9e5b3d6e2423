export const schema = {
    namespace: 'harbour',
    name: 'Harbour',
    description: 'Ships in port',
    flowMCP: '1.2.0',
    root: 'https://api.harbour.example',
    tools: {
        listShips: {
            requestMethod: 'GET',
            route: '/ships',
            description: 'Ships in port',
            parameters: []
        }
    }
}
