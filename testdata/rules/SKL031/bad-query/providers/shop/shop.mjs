export const main = {
    namespace: 'shop',
    name: 'DemoShop',
    description: 'Articles and prices of a demo shop',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: 'b845e251',
    root: 'https://api.example.com',
    docs: [ 'https://docs.example.com' ],
    tags: [ 'shopping' ],
    requiredServerParams: [ 'SHOP_API_KEY' ],
    requiredLibraries: [],
    headers: { 'Accept': 'application/json' },
    sharedLists: [],
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
        },
        getStock: {
            method: 'GET',
            path: '/stock',
            description: 'How many of an article are there',
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
                        stock: { type: 'number', description: 'Pieces in all shops' }
                    }
                }
            },
            meta: {
                isReadOnly: true,
                isConcurrencySafe: true,
                isDestructive: false,
                searchHint: 'stock article shop',
                aliases: [],
                alwaysLoad: false
            },
            tests: [
                { _description: 'An article in stock', article: 'lamp' },
                { _description: 'An article that is sold out', article: 'chair' },
                { _description: 'An article that is ordered', article: 'table' }
            ]
        }
    },
    resources: {
        articles: {
            source: 'markdown',
            origin: 'inline',
            name: 'shop-articles.md',
            description: 'Numbers and names of all articles'
        },
        stock: {
            source: 'sqlite',
            mode: 'file-based',
            origin: 'project',
            name: 'shop-stock.db',
            description: 'Articles in stock',
            queries: {
                getSchema: {
                    sql: "SELECT name, sql FROM sqlite_master WHERE type='table'",
                    description: 'Tables and how they are made',
                    parameters: [],
                    output: { mimeType: 'application/json', schema: { type: 'array', items: { type: 'object' } } },
                    tests: [
                        { _description: 'All tables' }, { _description: 'The tables again' },
                        { _description: 'The tables once more' }
                    ]
                },
                sellOne: {
                    sql: 'UPDATE stock SET amount = amount - 1',
                    description: 'Takes one of each article out of stock',
                    parameters: [],
                    output: { mimeType: 'application/json', schema: { type: 'array', items: { type: 'object' } } },
                    tests: [
                        { _description: 'One of each' }, { _description: 'One more' }, { _description: 'The last one' }
                    ]
                }
            }
        }
    }
}
