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
            const { createHash } = await import /* only here */ ( 'crypto' )
            response.hash = createHash( 'sha256' ).update( response.text ).digest( 'hex' )
            return { response }
        }
    }
} )
