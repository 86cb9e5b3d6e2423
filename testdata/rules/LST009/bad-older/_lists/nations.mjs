export const list = {
    meta: {
        name: 'demoNations',
        version: '1.1.0',
        description: 'Nations that have ports',
        fields: [
            { key: 'alpha2', type: 'string', description: 'Code of two letters' }
        ]
    },
    entries: [
        { alpha2: 'GB' },
        { alpha2: 'NO' }
    ]
}
