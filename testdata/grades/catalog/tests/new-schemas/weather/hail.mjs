// F: nothing is defined yet.
export const main = {
    namespace: 'weather',
    name: 'Hail',
    description: 'Hail at a place',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '12ebfccb',
    root: 'https://api.harbour.example',
    tools: {}
}
