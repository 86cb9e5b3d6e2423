export const list = {
    meta: {
        name: 'currencies',
        version: '1.0.0',
        description: 'Currencies of the shop',
        fields: [
            { key: 'code', type: 'string', description: 'ISO 4217 code' }
        ]
    },
    entries: [
        { code: 'EUR' },
        { code: 'USD' }
    ]
}
