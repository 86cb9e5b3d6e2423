export const main = {
    namespace: 'demo',
    name: 'DemoStock',
    description: 'What a demo shop has in stock',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '20868cfd',
    docs: [ 'https://docs.example.com' ],
    tags: [ 'shopping' ],
    resources: {
        stock: {
            source: 'http',
            url: 'https://data.example.com/demo-stock.db',
            path: 'demo-stock.db',
            cacheTtl: 86400,
            description: 'Articles in stock, renewed each night',
            queries: {
                names: {
                    sql: "DROP TABLE articles",
                    description: 'Names of all articles',
                    parameters: [],
                    output: {
                        mimeType: 'application/json',
                        schema: { type: 'array', items: { type: 'object' } }
                    },
                    tests: [
                        { _description: 'All names' },
                        { _description: 'The names again' },
                        { _description: 'The names once more' }
                    ]
                }
            }
        }
    }
}
