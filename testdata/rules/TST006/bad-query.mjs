export const main = {
    namespace: 'demo',
    name: 'DemoShop',
    description: 'Articles and prices of a demo shop',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '7774acc5',
    root: 'https://api.example.com',
    docs: [ 'https://docs.example.com' ],
    tags: [ 'shopping' ],
    requiredServerParams: [ 'SHOP_API_KEY' ],
    requiredLibraries: [],
    headers: { 'Accept': 'application/json' },
    sharedLists: [],
    resources: {
        articleData: {
            source: 'sqlite',
            mode: 'in-memory',
            origin: 'project',
            name: 'articles.db',
            description: 'Articles of the demo shop',
            queries: {
                byName: {
                    sql: 'SELECT * FROM articles WHERE name = ? LIMIT ?',
                    description: 'Articles of a name',
                    parameters: [
                        {
                            position: { key: 'name', value: '{{USER_PARAM}}' },
                            z: { primitive: 'string()', options: [ 'min(1)' ] }
                        },
                        {
                            position: { key: 'limit', value: '{{USER_PARAM}}' },
                            z: { primitive: 'number()', options: [ 'default(10)' ] }
                        }
                    ],
                    output: {
                        mimeType: 'application/json',
                        schema: {
                            type: 'array',
                            items: {
                                type: 'object',
                                properties: {
                                    name: { type: 'string', description: 'Name of the article' }
                                }
                            }
                        }
                    },
                    tests: [
                        { _description: 'An article of one name', name: 'lamp', size: 'large' },
                        { _description: 'An article with variants', name: 'chair' },
                        { _description: 'One of many', name: 'table', limit: 1 }
                    ]
                }
            }
        }
    },
    tools: {
        getPrice: {
            method: 'GET',
            path: '/price',
            description: 'Current price of one article',
            parameters: [
                {
                    position: { key: 'article', value: '{{USER_PARAM}}', location: 'query' },
                    z: { primitive: 'string()', options: [ 'min(1)' ] }
                },
                {
                    position: { key: 'apikey', value: '{{SERVER_PARAM:SHOP_API_KEY}}', location: 'query' },
                    z: { primitive: 'string()', options: [] }
                }
            ],
            output: {
                mimeType: 'application/json',
                schema: {
                    type: 'object',
                    properties: {
                        price: { type: 'number', description: 'Price in euro' }
                    }
                }
            },
            meta: {
                isReadOnly: true,
                isConcurrencySafe: true,
                isDestructive: false,
                searchHint: 'price article shop',
                aliases: [],
                alwaysLoad: false
            },
            tests: [
                { _description: 'An article with one price', article: 'lamp' },
                { _description: 'An article with variants', article: 'chair' },
                { _description: 'An article on sale', article: 'table' }
            ]
        }
    }
}
