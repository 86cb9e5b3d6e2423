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
            parameters: [],
            modifiers: [
                { phase: 'pre', handlerName: 'toPort' },
                { phase: 'post', handlerName: 'onlyNames' },
                { phase: 'post', handlerName: 'asIs' }
            ]
        }
    },
    handlers: {
        toPort: async ( { struct, payload } ) => {
            payload.url = payload.url.replace( '/ships', '/ports/kiel/ships' )
            return { struct, payload }
        },
        onlyNames: async ( { struct, payload } ) => {
            struct.data = struct.data.map( ( ship ) => ship.name )
            return { struct, payload }
        },
        asIs: async ( { struct, payload } ) => {
            return { struct, payload }
        }
    }
}
