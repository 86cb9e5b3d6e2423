export const main = {
    namespace: 'demo',
    name: 'DemoStock',
    description: 'What a demo shop has in stock',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '625b2713',
    docs: [ 'https://docs.example.com' ],
    tags: [ 'shopping' ],
    resources: {
        guide: {
            source: 'markdown',
            origin: 'inline',
            name: 'demo-guide.md',
            description: 'How articles are stored',
            url: 'https://docs.example.com'
        }
    }
}
