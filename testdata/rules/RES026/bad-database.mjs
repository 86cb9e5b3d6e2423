export const main = {
    namespace: 'demo',
    name: 'DemoStock',
    description: 'What a demo shop has in stock',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: 'a2c6626d',
    docs: [ 'https://docs.example.com' ],
    tags: [ 'shopping' ],
    resources: {
        guide: {
            source: 'markdown',
            database: 'docs/guide.db',
            description: 'How articles are stored'
        }
    }
}
