export const main = {
    namespace: 'harbour',
    name: 'Harbour',
    description: 'Ships in port',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: 'f1e33f8e',
    root: 'https://api.harbour.example',
    requiredLibraries: [ 'moment' ],
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

export const handlers = ( { libraries } ) => ( {
    listShips: {
        postRequest: async ( { response } ) => ( { response: response.map( ( ship ) => libraries.moment( ship.eta ).format() ) } )
    }
} )
