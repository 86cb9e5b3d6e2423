export const main = {
    namespace: 'demo',
    name: 'DemoStock',
    description: 'What a demo shop has in stock',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '7ee8186a',
    docs: [ 'https://docs.example.com' ],
    tags: [ 'shopping' ],
    resources: {
        stock: 'demo-stock.db'
    }
}
