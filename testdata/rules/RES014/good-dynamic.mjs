export const main = {
    namespace: 'demo',
    name: 'DemoStock',
    description: 'What a demo shop has in stock',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '44804c83',
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
                byName: {
                    sql: '{{DYNAMIC_SQL}}',
                    description: 'Amounts of an article in all sizes',
                    parameters: [
                        {
                            position: { key: 'sql', value: '{{USER_PARAM}}' },
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
                        { _description: 'An article of one size', sql: 'SELECT 1' },
                        { _description: 'An article of many sizes', sql: 'SELECT 2' },
                        { _description: 'The first size alone', sql: 'SELECT 3', limit: 1 }
                    ]
                }
            }
        }
    }
}
