export const main = {
    namespace: 'demo',
    name: 'DemoStock',
    description: 'What a demo shop has in stock',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: 'fc5dde34',
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
                    sql: "SELECT name FROM articles",
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
                },
                sizes: {
                    sql: "SELECT name FROM articles",
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
                },
                colours: {
                    sql: "SELECT name FROM articles",
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
                },
                makers: {
                    sql: "SELECT name FROM articles",
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
                },
                shelves: {
                    sql: "SELECT name FROM articles",
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
                },
                orders: {
                    sql: "SELECT name FROM articles",
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
                },
                returns: {
                    sql: "SELECT name FROM articles",
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
