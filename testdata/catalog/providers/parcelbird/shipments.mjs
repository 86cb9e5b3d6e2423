// Parcelbird: shipments. bookShipment has a parameter of every kind: fixed,
// user and server values, in the path, the query, the body and a header.
export const main = {
    namespace: 'parcelbird',
    name: 'Shipments',
    description: 'Book parcel shipments and ask where they are',
    version: '4.2.0',
    schemaVersion: '1.1.0',
    schemaHash: 'ae9db9a6',
    root: 'https://localhost:18443',
    docs: ['https://parcelbird.example/api'],
    tags: ['logistics', 'parcels'],
    requiredServerParams: ['PARCELBIRD_TOKEN'],
    headers: { Authorization: 'Bearer {{SERVER_PARAM:PARCELBIRD_TOKEN}}' },
    tools: {
        trackShipment: {
            method: 'GET',
            path: '/v2/shipments/{{number}}',
            description: 'Where a shipment is and when it will arrive',
            parameters: [
                { position: { key: 'number', value: '{{USER_PARAM}}', location: 'insert' }, z: { primitive: 'string()', options: ['length(12)'] } },
                { position: { key: 'lang', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'enum(en,de,fr)', options: ['default(en)'] } }
            ],
            output: {
                mimeType: 'application/json',
                schema: {
                    type: 'object',
                    properties: {
                        number: { type: 'string', description: 'Shipment number' },
                        state: { type: 'string', description: 'Where it is, in words' },
                        eta: { type: 'string', format: 'date-time', nullable: true, description: 'Expected arrival' }
                    }
                }
            },
            meta: {
                isReadOnly: true,
                isConcurrencySafe: true,
                isDestructive: false,
                searchHint: 'track parcel shipment status delivery',
                aliases: ['whereIsMyParcel'],
                alwaysLoad: false
            },
            tests: [
                { _description: 'A shipment on its way', number: 'PB0000000001' },
                { _description: 'A delivered shipment, in German', number: 'PB0000000002', lang: 'de' },
                { _description: 'A shipment held at customs, in French', number: 'PB0000000003', lang: 'fr' }
            ]
        },
        bookShipment: {
            method: 'POST',
            path: '/v2/depots/{{depot}}/shipments',
            description: 'Books a shipment; the label follows by mail',
            parameters: [
                { position: { key: 'depot', value: '{{USER_PARAM}}', location: 'insert' }, z: { primitive: 'string()', options: ['min(3)', 'max(20)'] } },
                { position: { key: 'apiVersion', value: '2', location: 'query' }, z: { primitive: 'string()', options: [] } },
                { position: { key: 'account', value: '{{SERVER_PARAM:PARCELBIRD_TOKEN}}', location: 'query' }, z: { primitive: 'string()', options: [] } },
                { position: { key: 'tag', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'array()', options: ['optional()'] } },
                { position: { key: 'service', value: '{{USER_PARAM}}', location: 'body' }, z: { primitive: 'enum(standard,express,overnight)', options: ['default(standard)'] } },
                { position: { key: 'to', value: '{{USER_PARAM}}', location: 'body' }, z: { primitive: 'object()', options: [] } },
                { position: { key: 'weightKg', value: '{{USER_PARAM}}', location: 'body' }, z: { primitive: 'number()', options: ['min(0.1)', 'max(31.5)'] } },
                { position: { key: 'insured', value: '{{USER_PARAM}}', location: 'body' }, z: { primitive: 'boolean()', options: ['optional()'] } },
                { position: { key: 'channel', value: 'fmcp', location: 'body' }, z: { primitive: 'string()', options: [] } }
            ],
            output: {
                mimeType: 'application/json',
                schema: {
                    type: 'object',
                    properties: {
                        number: { type: 'string', description: 'Shipment number' },
                        service: { type: 'string', description: 'Booked service' },
                        priceCents: { type: 'number', description: 'Price in euro cents' }
                    }
                }
            },
            meta: {
                isReadOnly: false,
                isConcurrencySafe: true,
                isDestructive: false,
                searchHint: 'book send parcel shipment label',
                aliases: ['sendParcel'],
                alwaysLoad: false
            },
            tests: [
                { _description: 'A standard parcel', depot: 'hamburg', to: { name: 'Ada', city: 'Kiel' }, weightKg: 2 },
                { _description: 'An insured express parcel', depot: 'bremen', service: 'express', to: { name: 'Grace', city: 'Emden' }, weightKg: 12.5, insured: true },
                { _description: 'Overnight with tags', depot: 'hamburg', service: 'overnight', to: { name: 'Alan', city: 'Jever' }, weightKg: 0.4, tag: ['gift', 'fragile'] }
            ]
        }
    }
}
