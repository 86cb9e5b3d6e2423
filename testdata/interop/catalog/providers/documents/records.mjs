export const main = {
    namespace: 'documents',
    name: 'Records',
    description: 'What can be asked for by an id',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '1c210588',
    docs: [ 'https://modelcontextprotocol.io' ],
    tags: [ 'conformance' ],
    resources: {
        record: {
            source: 'sqlite',
            mode: 'file-based',
            origin: 'project',
            name: 'documents-records.db',
            description: 'Records by their id',
            queries: {
                getSchema: {
                    sql: "SELECT 'records' AS name, 'CREATE TABLE records (id TEXT, data TEXT)' AS sql",
                    description: 'The tables',
                    parameters: [],
                    output: {
                        mimeType: 'application/json',
                        schema: { type: 'array', items: { type: 'object', properties: { name: { type: 'string', description: 'Name of the table' }, sql: { type: 'string', description: 'How it is made' } } } }
                    },
                    tests: [ { _description: 'All of them' } ]
                },
                byId: {
                    uri: 'test://template/{id}/data',
                    sql: "SELECT id, 'Data for ID: ' || id AS data FROM (SELECT ? AS id)",
                    description: 'The record with an id',
                    parameters: [
                        { position: { key: 'id', value: '{{USER_PARAM}}' }, z: { primitive: 'string()', options: [ 'min(1)' ] } }
                    ],
                    output: {
                        mimeType: 'application/json',
                        schema: { type: 'array', items: { type: 'object', properties: { id: { type: 'string', description: 'The id' }, data: { type: 'string', description: 'What is kept there' } } } }
                    },
                    tests: [ { _description: 'One', id: '123' } ]
                }
            }
        }
    }
}
