export const list = {
    meta: {
        name: 'demoCountries',
        version: '1.2.0',
        description: 'Countries that the demo shop ships to',
        fields: [
            { key: 'alpha2', type: 'string', description: 'Country code of two letters' },
            { key: 'name', type: 'string', description: 'English name' },
            { key: 'currency', type: 'string', optional: true, description: 'Currency code' }
        ]
    },
    entries: [
        { alpha2: 'DE', name: 'Germany', currency: 'EUR' },
        { alpha2: 'ES', name: 'Spain', currency: 'EUR' },
        { alpha2: 'FR', name: 'France', currency: 'EUR' },
        { alpha2: 'IT', name: 'Italy', currency: 'EUR' },
        { alpha2: 'NL', name: 'Netherlands', currency: 'EUR' },
        { alpha2: 'PT', name: 'Portugal' }
    ]
}
