export const main = {
    namespace: 'demo',
    name: 'DemoTransit',
    description: 'What a demo town has in trams',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: 'b9da8bdf',
    docs: [ 'https://docs.example.com' ],
    tags: [ 'transit' ],
    resources: [
        {
            source: 'sqlite-gtfs',
            mode: 'file-based',
            path: '${FLOWMCP_RESOURCES}/demo-transit.db',
            addon: 'gtfs-sqlite-toolkit'
        }
    ]
}
