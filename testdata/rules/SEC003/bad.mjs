export const main = {
    namespace: 'demo',
    name: 'DemoShop',
    description: 'Articles and prices of a demo shop',
    version: '4.0.0',
    root: 'https://api.example.com',
    tools: {
        getPrice: { method: 'GET', path: '/price', description: 'Current price of one article', parameters: [] }
    }
}

export const handlers = ( { sharedLists, libraries } ) => ( {
    getPrice: {
        postRequest: async ( { response } ) => {
            response.total = eval( response.formula )
            return { response }
        }
    }
} )
