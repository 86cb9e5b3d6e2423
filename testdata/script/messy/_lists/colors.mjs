export const list = {
    meta: {
        name: 'colors',
        version: '1.0.0',
        description: 'Colours by name',
        fields: [
            { key: 'name', type: 'string', description: 'Name in English' },
            { key: 'warm', type: 'boolean', description: 'Whether it is a warm colour' }
        ],
        dependsOn: []
    },
    entries: [
        { name: 'red', warm: true },
        { name: 'blue', warm: false },
        { name: 'ochre', warm: true }
    ]
}
