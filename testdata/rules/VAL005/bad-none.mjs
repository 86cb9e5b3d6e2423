export const main = {
    namespace: 'demo',
    name: 'DemoShop',
    description: 'Articles and prices of a demo shop',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '1810700a',
    root: 'https://api.example.com',
    docs: [ 'https://docs.example.com' ],
    tags: [ 'shopping' ],
    requiredServerParams: [ 'SHOP_API_KEY' ],
    requiredLibraries: [],
    headers: { 'Accept': 'application/json' },
    sharedLists: [],
    tools: {},
    resources: {}
}

export const handlers = () => ( {
    getPrise: {
        postRequest: async ( { response } ) => ( { response } )
    }
} )
