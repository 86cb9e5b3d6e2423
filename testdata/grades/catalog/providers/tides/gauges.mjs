// B, and not in registry.json.
export const main = {
    namespace: 'tides',
    name: 'Gauges',
    description: 'Water levels at a gauge',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '9bc1aa26',
    root: 'https://api.harbour.example',
    tools: {
        getLevel: {
            method: 'GET',
            path: '/levels/{{gauge}}',
            description: 'Gives the water level at a gauge',
            parameters: [
                {
                    position: { key: 'gauge', value: '{{USER_PARAM}}', location: 'insert' },
                    z: { primitive: 'string()', options: ['min(3)', 'max(20)'] }
                }
            ],
            output: {
                mimeType: 'application/json',
                schema: {
                    type: 'object',
                    properties: { value: { type: 'number', description: 'The answer, in metres' } }
                }
            },
            meta: {
                isReadOnly: true,
                isConcurrencySafe: true,
                isDestructive: false,
                searchHint: 'gives the water level at a gauge',
                aliases: [],
                alwaysLoad: false
            },
            tests: [
                { _description: 'In Oslo', gauge: 'oslo' },
                { _description: 'In Bergen', gauge: 'bergen' },
                { _description: 'In Tromso', gauge: 'tromso' }
            ]
        }
    }
}
