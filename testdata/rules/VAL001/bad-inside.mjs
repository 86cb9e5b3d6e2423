export const schema = {
    main: {
        namespace: 'demo',
        name: 'DemoShop',
        version: '3.0.0'
    },
    tools: {
        getPrice: {
            description: 'Current price of one article'
        }
    }
}
