export const list = {
    meta: {
        name: 'isoCountryCodes',
        version: '1.0.0',
        description: 'Countries by their ISO codes',
        fields: [
            { key: 'alpha2', type: 'string', description: 'Code of two letters' }
        ],
        dependsOn: []
    },
    entries: [
        { alpha2: 'DE' },
        { alpha2: 'FR' }
    ]
}
