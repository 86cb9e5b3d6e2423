export const list = {
    meta: {
        name: 'demoPorts',
        version: '1.0.0',
        description: 'Ports that the demo ferry calls at',
        fields: [
            { key: 'alias', type: 'string', description: 'Readable name, lower case' },
            { key: 'berths', type: 'number', description: 'Number of berths' },
            { key: 'customs', type: 'boolean', optional: true, description: 'Whether goods can be cleared' }
        ],
        dependsOn: []
    },
    entries: [
        { alias: 'harwich', berths: 4, customs: true },
        { alias: 'esbjerg', berths: 6 },
        { alias: 'larvik', berths: 2, customs: null }
    ]
}
