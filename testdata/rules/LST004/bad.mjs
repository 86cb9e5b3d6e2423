export const list = {
    meta: {
        name: 'demoPorts',
        version: '1.0.0',
        description: 'Ports that the demo ferry calls at',
        fields: [],
        dependsOn: []
    },
    entries: [
        { alias: 'harwich', berths: 4, customs: true },
        { alias: 'esbjerg', berths: 6 },
        { alias: 'larvik', berths: 2, customs: null }
    ]
}
