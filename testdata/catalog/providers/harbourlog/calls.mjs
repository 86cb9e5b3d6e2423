// Harbourlog: ships in harbours. Its API has pages, codes and nested answers,
// so each tool has a handler of another kind.
export const main = {
    namespace: 'harbourlog',
    name: 'Calls',
    description: 'Which ships call at which harbour, and which warnings hold at sea',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: 'f54d86d1',
    root: 'https://localhost:18443',
    docs: ['https://harbourlog.example/reference'],
    tags: ['shipping', 'harbours'],
    headers: { Accept: 'application/json' },
    sharedLists: [
        { ref: 'seaAreas', version: '1.0.0' }
    ],
    tools: {
        listArrivals: {
            method: 'GET',
            path: '/v3/harbours/{{harbour}}/arrivals',
            description: 'Lists the ships that are expected at a harbour, from all pages of the provider',
            parameters: [
                { position: { key: 'harbour', value: '{{USER_PARAM}}', location: 'insert' }, z: { primitive: 'enum(emden,husum,kiel)', options: [] } },
                { position: { key: 'limit', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'number()', options: ['min(1)', 'max(20)', 'default(10)'] } }
            ],
            output: {
                mimeType: 'application/json',
                schema: {
                    type: 'array',
                    items: {
                        type: 'object',
                        properties: {
                            ship: { type: 'string', description: 'Name of the ship' },
                            eta: { type: 'string', format: 'date-time', description: 'Expected arrival' }
                        }
                    }
                }
            },
            meta: {
                isReadOnly: true,
                isConcurrencySafe: true,
                isDestructive: false,
                searchHint: 'ship arrivals harbour expected vessels',
                aliases: ['expectedShips'],
                alwaysLoad: false
            },
            tests: [
                { _description: 'Emden, as many as there are', harbour: 'emden' },
                { _description: 'Kiel, the next three', harbour: 'kiel', limit: 3 },
                { _description: 'Husum has one page only', harbour: 'husum' }
            ]
        },
        getBerths: {
            method: 'GET',
            path: '/v3/harbours/{{harbour}}/berths',
            description: 'Lists the berths of a harbour, one line each, and which ship lies there',
            parameters: [
                { position: { key: 'harbour', value: '{{USER_PARAM}}', location: 'insert' }, z: { primitive: 'enum(emden,husum,kiel)', options: [] } }
            ],
            output: {
                mimeType: 'application/json',
                schema: {
                    type: 'array',
                    items: {
                        type: 'object',
                        properties: {
                            quay: { type: 'string', description: 'Name of the quay' },
                            berth: { type: 'number', description: 'Number of the berth at the quay' },
                            ship: { type: 'string', nullable: true, description: 'Ship that lies there' }
                        }
                    }
                }
            },
            meta: {
                isReadOnly: true,
                isConcurrencySafe: true,
                isDestructive: false,
                searchHint: 'free berths quay harbour occupancy',
                aliases: ['freeBerths'],
                alwaysLoad: false
            },
            tests: [
                { _description: 'Emden', harbour: 'emden' },
                { _description: 'Kiel', harbour: 'kiel' },
                { _description: 'Husum, a single quay', harbour: 'husum' }
            ]
        },
        getWarnings: {
            method: 'GET',
            path: '/v3/warnings',
            description: 'Lists the warnings to shipping that hold in a sea area',
            parameters: [
                { position: { key: 'area', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'enum({{seaAreas:alias}})', options: [] } }
            ],
            output: {
                mimeType: 'application/json',
                schema: {
                    type: 'object',
                    properties: {
                        area: { type: 'number', description: 'Number of the area on the charts' },
                        warnings: { type: 'array', description: 'Warnings, the newest first', items: { type: 'string', description: 'Text of a warning' } }
                    }
                }
            },
            meta: {
                isReadOnly: true,
                isConcurrencySafe: true,
                isDestructive: false,
                searchHint: 'navigational warnings sea area gale',
                aliases: ['navigationalWarnings'],
                alwaysLoad: false
            },
            tests: [
                { _description: 'The German Bight', area: 'german-bight' },
                { _description: 'Gotland, where there is no tide', area: 'gotland' },
                { _description: 'Dogger', area: 'dogger' }
            ]
        }
    }
}

export const handlers = ( { sharedLists } ) => {
    // The provider knows areas by their numbers only.
    const codeOf = ( alias ) => sharedLists.seaAreas.find( ( area ) => area.alias === alias ).code

    return {
        listArrivals: {
            executeRequest: async ( { struct, payload } ) => {
                const ships = []
                for( let page = 1; page && ships.length < payload.limit; ) {
                    const url = new URL( struct.url )
                    url.searchParams.set( 'page', page )
                    const answer = await fetch( url, { headers: struct.headers } )
                    if( !answer.ok ) { throw new Error( `page ${page}: ${answer.status} ${answer.statusText}` ) }
                    const { items, next } = await answer.json()
                    ships.push( ...items )
                    page = next
                }

                return { response: ships.slice( 0, payload.limit ) }
            }
        },
        getBerths: {
            postRequest: async ( { response } ) => {
                const berths = response.quays
                    .flatMap( ( quay ) => quay.berths.map( ( berth ) => ( { quay: quay.name, berth: berth.number, ship: berth.ship?.name ?? null } ) ) )

                return { response: berths }
            }
        },
        getWarnings: {
            preRequest: async ( { struct, payload } ) => {
                return { struct, payload: { ...payload, area: codeOf( payload.area ) } }
            }
        }
    }
}
