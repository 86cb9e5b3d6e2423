// version 2
export const main = {
    namespace: 'old',
    name: 'Old',
    description: 'A schema of the messy catalog: version 2',
    version: '2.0.0',
    root: 'https://localhost:18443',
    docs: [],
    tags: ['messy'],
    routes: {
        paint: {
            method: 'GET',
            path: '/paint/{{color}}',
            description: 'Paints in a colour',
            parameters: [
                { position: { key: 'color', value: '{{USER_PARAM}}', location: 'insert' }, z: { primitive: 'string()', options: [] } }
            ],
            output: { mimeType: 'application/json', schema: { type: 'object', properties: { path: { type: 'string', description: 'What was asked' } } } },
            tests: [
                { _description: 'Red', color: 'red' },
                { _description: 'Blue', color: 'blue' },
                { _description: 'Ochre', color: 'ochre' }
            ]
        }
    }
}
