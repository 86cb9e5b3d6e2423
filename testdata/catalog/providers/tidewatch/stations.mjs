// Tidewatch: tide gauges along the coast. Everything here is plain data: no
// handlers, no keys.
export const main = {
    namespace: 'tidewatch',
    name: 'Stations',
    description: 'Tide gauges and tide forecasts for the North Sea and the Baltic Sea',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '8892b154',
    root: 'https://localhost:18443',
    docs: ['https://tidewatch.example/docs'],
    tags: ['tides', 'weather', 'shipping'],
    headers: { Accept: 'application/json' },
    sharedLists: [
        { ref: 'seaAreas', version: '1.0.0', filter: { key: 'tidal', value: true } }
    ],
    tools: {
        listStations: {
            method: 'GET',
            path: '/v1/stations',
            description: 'Lists the tide gauges of a sea area, nearest to the coast first',
            parameters: [
                { position: { key: 'area', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'enum({{seaAreas:alias}})', options: [] } },
                { position: { key: 'limit', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'number()', options: ['min(1)', 'max(50)', 'default(10)'] } }
            ],
            output: {
                mimeType: 'application/json',
                schema: {
                    type: 'array',
                    items: {
                        type: 'object',
                        properties: {
                            id: { type: 'string', description: 'Station id, the input of getTides' },
                            name: { type: 'string', description: 'Name of the place' },
                            levelCm: { type: 'number', description: 'Water level above datum in centimetres', nullable: true }
                        }
                    }
                }
            },
            meta: {
                isReadOnly: true,
                isConcurrencySafe: true,
                isDestructive: false,
                searchHint: 'tide gauge water level harbour sea area',
                aliases: ['tideStations'],
                alwaysLoad: false
            },
            tests: [
                { _description: 'Gauges of the German Bight', area: 'german-bight' },
                { _description: 'Gauges of Humber, only three', area: 'humber', limit: 3 },
                { _description: 'Gauges of Dogger', area: 'dogger' }
            ]
        },
        getTides: {
            method: 'GET',
            path: '/v1/stations/{{station}}/tides',
            description: 'High and low waters of one gauge for the coming days',
            parameters: [
                { position: { key: 'station', value: '{{USER_PARAM}}', location: 'insert' }, z: { primitive: 'string()', options: ['min(2)', 'max(40)'] } },
                { position: { key: 'days', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'number()', options: ['min(1)', 'max(14)', 'default(2)'] } },
                { position: { key: 'datum', value: 'chart', location: 'query' }, z: { primitive: 'string()', options: [] } }
            ],
            output: {
                mimeType: 'application/json',
                schema: {
                    type: 'object',
                    properties: {
                        station: { type: 'string', description: 'Station id' },
                        datum: { type: 'string', description: 'Reference level' },
                        tides: {
                            type: 'array',
                            description: 'Extremes in order of time',
                            items: {
                                type: 'object',
                                properties: {
                                    time: { type: 'string', format: 'date-time', description: 'When' },
                                    kind: { type: 'string', enum: ['high', 'low'], description: 'High or low water' },
                                    levelCm: { type: 'number', description: 'Height above the datum in centimetres' }
                                }
                            }
                        }
                    }
                }
            },
            meta: {
                isReadOnly: true,
                isConcurrencySafe: true,
                isDestructive: false,
                searchHint: 'high water low water tide table forecast',
                aliases: ['tideTable'],
                alwaysLoad: true
            },
            tests: [
                { _description: 'Cuxhaven, the default two days', station: 'cuxhaven' },
                { _description: 'Helgoland for a week', station: 'helgoland', days: 7 },
                { _description: 'A name with an umlaut and a slash is one path segment', station: 'büsum/hafen' }
            ]
        }
    }
}
