const flags = [ 'DE', 'DK' ]

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
                { position: { key: 'flag', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: `enum(${ flags.join( ',' ) })`, options: [] } }
            ]
        }
    }
}
