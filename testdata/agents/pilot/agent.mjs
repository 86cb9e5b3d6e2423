export const agent = {
    name: 'pilot',
    description: 'Knows the tides and harbours, and where the parcels of a ship are',
    version: 'flowmcp/4.0.0',
    model: 'anthropic/claude-sonnet-4-5-20250929',
    systemPrompt: 'You advise the crew of a small ship. Give heights in centimetres and times in UTC, and name your source.',
    tools: {
        'tidewatch/tool/listStations': null,
        'tidewatch/tool/getTides': null,
        'parcelbird/tool/trackShipment': null
    },
    resources: {
        'tidewatch/resource/harbours': null
    },
    tests: [
        {
            _description: 'Tides of one place',
            input: 'When is high water in Cuxhaven?',
            expectedTools: [ 'tidewatch/tool/getTides' ],
            expectedContent: [ 'Cuxhaven' ]
        },
        {
            _description: 'A place whose name is not known',
            input: 'Which gauges are there in the German Bight?',
            expectedTools: [ 'tidewatch/tool/listStations' ],
            expectedContent: [ 'Cuxhaven' ]
        },
        {
            _description: 'Two providers',
            input: 'Is shipment PB0000000001 in Cuxhaven before the next high water?',
            expectedTools: [ 'parcelbird/tool/trackShipment', 'tidewatch/tool/getTides' ],
            expectedContent: [ 'PB0000000001' ]
        }
    ],
    hash: 'sha256:5a9c059213d30064d858106c65aeec6aa875cf4c0344df1c3935735c1872c6d2'
}
