// The sea areas that Tidewatch knows. alias is what users write and what the
// API takes, code is the number of the area on Tidewatch's charts.
export const list = {
    meta: {
        name: 'seaAreas',
        version: '1.0.0',
        description: 'Sea areas of the North Sea and the Baltic Sea',
        fields: [
            { key: 'alias', type: 'string', description: 'Readable name, lower case' },
            { key: 'code', type: 'number', description: 'Number of the area on the charts of Tidewatch' },
            { key: 'tidal', type: 'boolean', description: 'Whether the area has tides worth a forecast' },
            { key: 'pilot', type: 'string', optional: true, description: 'Call sign of the pilot station' }
        ],
        dependsOn: []
    },
    entries: [
        { alias: 'german-bight', code: 11, tidal: true, pilot: 'Elbe Pilot' },
        { alias: 'dogger', code: 14, tidal: true },
        { alias: 'humber', code: 15, tidal: true, pilot: 'Humber Pilots' },
        { alias: 'skagerrak', code: 21, tidal: true, pilot: null },
        { alias: 'kattegat', code: 22, tidal: false },
        { alias: 'gotland', code: 31, tidal: false, pilot: 'Landsort Pilot' }
    ]
}
