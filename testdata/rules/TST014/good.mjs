export const main = {
    namespace: 'demo',
    name: 'DemoShop',
    description: 'Articles and prices of a demo shop',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: 'c47b1873',
    root: 'https://api.example.com',
    docs: [ 'https://docs.example.com' ],
    tags: [ 'shopping' ],
    requiredServerParams: [ 'SHOP_API_KEY' ],
    requiredLibraries: [],
    headers: { 'Accept': 'application/json' },
    sharedLists: [ { ref: 'demoCountries', version: '1.2.0', filter: { key: 'currency', exists: true } } ],
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
                    position: { key: 'size', value: '{{USER_PARAM}}', location: 'query' },
                    z: { primitive: 'enum(small,large)', options: [ 'default(small)' ] }
                },
                {
                    position: { key: 'limit', value: '{{USER_PARAM}}', location: 'query' },
                    z: { primitive: 'number()', options: [ 'min(1)', 'max(50)', 'optional()' ] }
                },
                {
                    position: { key: 'country', value: '{{USER_PARAM}}', location: 'query' },
                    z: { primitive: 'enum({{demoCountries:alpha2}})', options: [ 'optional()' ] }
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
                { _description: 'An article with one price', article: 'lamp', size: 'large', limit: 5, country: 'FR' },
                { _description: 'An article with variants', article: 'chair', country: 'DE' },
                { _description: 'An article on sale', article: 'table' }
            ]
        }
    }
}
