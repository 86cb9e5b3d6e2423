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
        { name: 'rouge', warm: true },
        { name: 'bleu', warm: false },
        { name: 'ochre', warm: true }
    ]
}
