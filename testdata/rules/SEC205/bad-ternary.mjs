export const list = {
    meta: {
        name: 'demoColors',
        version: '1.0.0',
        description: 'Colors of the demo shop',
        fields: [ { key: 'name', type: 'string', description: 'Name of the color' } ]
    },
    entries: [
        { name: 1 > 2 ? 'red' : 'blue' }
    ]
}
