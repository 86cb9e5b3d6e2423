export const main = {
    namespace: 'demo',
    name: 'DemoStock',
    description: 'What a demo shop has in stock',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '6543701d',
    docs: [ 'https://docs.example.com' ],
    tags: [ 'shopping' ],
    resources: {
        transit: {
            source: 'sqlite-gtfs',
            mode: 'file-based',
            path: '${FLOWMCP_RESOURCES}/../demo-transit.db',
            addon: 'gtfs-sqlite-toolkit',
            addonVersion: '>=0.1.0',
            addonSource: 'github:FlowMCP/gtfs-sqlite-toolkit'
        }
    }
}
