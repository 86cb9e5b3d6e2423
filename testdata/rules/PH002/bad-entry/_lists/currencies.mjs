export const list = {
    meta: {
        name: 'currencies',
        version: '1.0.0',
        description: 'Currencies of the shop',
        fields: [
            { key: 'alias', type: 'string', description: 'Name of the currency' },
            { key: 'code', type: 'string', description: 'ISO 4217 code' }
        ]
    },
    entries: [
        { alias: 'euro', code: 'EUR' },
        { alias: 'dollar', code: 'USD' }
    ]
}
