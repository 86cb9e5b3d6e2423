export const main = {
    namespace: 'demo',
    name: 'DemoShop',
    description: 'Articles and prices of a demo shop',
    version: '2.0.0',
    root: 'https://api.example.com',
    routes: {
        getPrice: {
            method: 'GET',
            path: '/price',
            description: 'Current price of one article',
            parameters: [],
            tests: [ { _description: 'All prices' } ]
        }
    }
}
