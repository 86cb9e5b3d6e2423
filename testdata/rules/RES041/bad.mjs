export const main = {
    namespace: 'demo',
    name: 'DemoStock',
    description: 'What a demo shop has in stock',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '5610f96a',
    docs: [ 'https://docs.example.com' ],
    tags: [ 'shopping' ],
    resources: {
        stock: {
            source: 'sqlite',
            mode: 'in-memory',
            origin: 'global',
            name: 'demo-stock.db',
            description: 'Articles in stock, by name'
        }
    }
}
