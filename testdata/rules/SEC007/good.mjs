export const main = {
    namespace: 'demo',
    name: 'DemoShop',
    description: 'A catalog of books, child_process among them',
    version: '4.0.0',
    root: 'https://api.example.com',
    tools: {
        getPrice: { method: 'GET', path: '/price', description: 'Current price of one article', parameters: [] }
    }
}

export const handlers = ( { sharedLists, libraries } ) => ( {
    getPrice: {
        postRequest: async ( { response } ) => {
            response.files = response.data.child_process
            return { response }
        }
    }
} )
