export const main = {
    namespace: 'demo',
    name: 'DemoStock',
    description: 'What a demo shop has in stock',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '693ad18f',
    docs: [ 'https://docs.example.com' ],
    tags: [ 'shopping' ],
    resources: {
        stock: {
            source: 'sqlite',
            mode: 'in-memory',
            origin: 'global',
            name: 'demo-stock.db',
            description: 'Articles in stock, by name',
            queries: {
                names: {
                    sql: "SELECT name FROM articles WHERE name = ?",
                    description: 'Names of all articles',
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
