// The timetable of an invented town, in a database that fmcp-exec resource
// import-gtfs makes of its feed (scripts/gtfs). It needs no queries: the standard
// tools of GTFS come with it.
export const main = {
    namespace: 'ostermoor',
    name: 'Timetable',
    description: 'Trams, buses, the ferry and the taxis on demand of Ostermoor',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '2d34a847',
    tags: [ 'transit' ],
    resources: {
        timetable: {
            source: 'sqlite-gtfs',
            mode: 'file-based',
            path: '${FLOWMCP_RESOURCES}/gtfs-ostermoor.db',
            addon: 'gtfs-sqlite-toolkit',
            description: 'Timetable of Ostermoor'
        }
    }
}
