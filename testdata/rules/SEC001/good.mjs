export const main = {
    namespace: 'demo',
    name: 'DemoShop',
    description: 'How to import goods, and what they cost',
    version: '4.0.0',
    root: 'https://api.example.com',
    tools: {
        getPrice: { method: 'GET', path: '/price', description: 'Current price of one article', parameters: [] }
    }
}

export const handlers = ( { sharedLists, libraries } ) => ( {
    getPrice: {
        postRequest: async ( { response } ) => {
            response.price = new libraries.Big( response.price ).toString()
            return { response }
        }
    }
} )
