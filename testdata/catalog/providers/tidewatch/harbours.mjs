// Harbours of an invented coast, in a database that lies beside this file.
export const main = {
    namespace: 'tidewatch',
    name: 'Harbours',
    description: 'Harbours of the North Sea and the Baltic Sea from a local database',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: 'f2dc42ea',
    tags: [ 'sea', 'harbours' ],
    sharedLists: [
        { ref: 'seaAreas', version: '1.0.0', filter: { key: 'tidal', value: true } }
    ],
    resources: {
        handbook: {
            source: 'markdown',
            origin: 'inline',
            name: 'tidewatch-handbook.md',
            description: 'What the words of Tidewatch mean: datum, surge, spring tide, depth'
        },
        harbours: {
            source: 'sqlite',
            mode: 'in-memory',
            origin: 'inline', // fmcp-ignore RES040 the data is invented and belongs to nobody
            name: 'tidewatch-harbours.db',
            description: 'Harbours with their depth and berths',
            queries: {
                byArea: {
                    sql: 'SELECT id, name, depth_m, berths, opened FROM harbours WHERE area = ? AND depth_m >= ? ORDER BY depth_m DESC',
                    description: 'Lists the harbours of a sea area that are deep enough, deepest first',
                    parameters: [
                        { position: { key: 'area', value: '{{USER_PARAM}}' }, z: { primitive: 'enum({{seaAreas:alias}})', options: [] } },
                        { position: { key: 'minDepth', value: '{{USER_PARAM}}' }, z: { primitive: 'number()', options: [ 'min(0)', 'default(0)' ] } }
                    ],
                    output: {
                        mimeType: 'application/json',
                        schema: {
                            type: 'array',
                            items: {
                                type: 'object',
                                properties: {
                                    id: { type: 'number', description: 'Number of the harbour' },
                                    name: { type: 'string', description: 'Name of the harbour' },
                                    depth_m: { type: 'number', description: 'Depth at lowest tide in metres' },
                                    berths: { type: 'number', description: 'Number of berths' },
                                    opened: { type: 'string', nullable: true, description: 'Day on which it was opened' }
                                }
                            }
                        }
                    },
                    tests: [
                        { _description: 'All harbours of the Humber', area: 'humber' },
                        { _description: 'Deep harbours of the German Bight', area: 'german-bight', minDepth: 5 },
                        { _description: 'An area without deep harbours', area: 'skagerrak', minDepth: 20 }
                    ]
                },
                search: {
                    sql: 'SELECT h.id, h.name, h.area, f.notes FROM harbours_fts f JOIN harbours h ON h.id = f.rowid WHERE harbours_fts MATCH ? ORDER BY rank LIMIT ?',
                    description: 'Finds harbours by words in their names and notes',
                    parameters: [
                        { position: { key: 'words', value: '{{USER_PARAM}}' }, z: { primitive: 'string()', options: [ 'min(2)' ] } },
                        { position: { key: 'limit', value: '{{USER_PARAM}}' }, z: { primitive: 'number()', options: [ 'min(1)', 'max(20)', 'default(5)' ] } }
                    ],
                    output: {
                        mimeType: 'application/json',
                        schema: {
                            type: 'array',
                            items: {
                                type: 'object',
                                properties: {
                                    id: { type: 'number', description: 'Number of the harbour' },
                                    name: { type: 'string', description: 'Name of the harbour' },
                                    area: { type: 'string', description: 'Sea area' },
                                    notes: { type: 'string', description: 'What skippers should know' }
                                }
                            }
                        }
                    },
                    tests: [
                        { _description: 'A word of the notes', words: 'fuel' },
                        { _description: 'Two words that both occur', words: 'low tide', limit: 2 },
                        { _description: 'The beginning of a name', words: 'Hells*' }
                    ]
                }
            }
        }
    },
    prompts: {
        about: {
            name: 'about',
            version: 'flowmcp-prompt/1.0.0',
            namespace: 'tidewatch',
            description: 'How gauges, tides and harbours are found',
            dependsOn: [ 'listStations', 'getTides' ],
            references: [],
            contentFile: './prompts/about.mjs'
        },
        window: {
            name: 'window',
            version: 'flowmcp-prompt/1.0.0',
            namespace: 'tidewatch',
            description: 'When a ship can enter a harbour',
            dependsOn: [ 'getTides' ],
            references: [ 'tidewatch/prompt/about' ],
            contentFile: './prompts/window.mjs'
        }
    }
}
