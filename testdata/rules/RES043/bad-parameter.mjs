export const main = {
    namespace: 'demo',
    name: 'DemoStock',
    description: 'What a demo shop has in stock',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '2a4d80ec',
    docs: [ 'https://docs.example.com' ],
    tags: [ 'shopping' ],
    resources: {
        stock: {
            source: 'sqlite',
            mode: 'in-memory',
            origin: 'global',
            name: 'demo-stock.db',
            description: 'Articles in stock, by name',
            uri: 'stock://{name}',
            queries: {
                byName: {
                    sql: 'SELECT name, amount FROM articles WHERE name = ? LIMIT ?',
                    description: 'Amounts of an article in all sizes',
                    uri: 'stock://articles/{nam}',
                    parameters: [
                        {
                            position: { key: 'name', value: '{{USER_PARAM}}' },
                            z: { primitive: 'string()', options: [ 'min(1)' ] }
                        },
                        {
                            position: { key: 'limit', value: '{{USER_PARAM}}' },
                            z: { primitive: 'number()', options: [ 'min(1)', 'default(20)' ] }
                        }
                    ],
                    output: {
                        mimeType: 'application/json',
                        schema: {
                            type: 'array',
                            items: {
                                type: 'object',
                                properties: {
                                    name: { type: 'string', description: 'Name of the article' },
                                    amount: { type: 'number', description: 'Pieces in stock' }
                                }
                            }
                        }
                    },
                    tests: [
                        { _description: 'An article of one size', name: 'lamp' },
                        { _description: 'An article of many sizes', name: 'chair' },
                        { _description: 'The first size alone', name: 'table', limit: 1 }
                    ]
                }
            }
        }
    }
}
