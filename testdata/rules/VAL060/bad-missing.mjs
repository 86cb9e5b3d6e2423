export const main = {
    namespace: 'demo',
    name: 'DemoShop',
    description: 'Articles and prices of a demo shop',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: 'de0ac8b3',
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
