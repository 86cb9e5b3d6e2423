// code that fails
export const main = {
    namespace: 'code',
    name: 'Fails',
    description: 'A schema of the messy catalog: code that fails',
    version: '4.0.0',
    root: 'https://localhost:18443',
    docs: [],
    tags: ['messy'],
    headers: { Accept: missing.mimeType },
    tools: {
        paint: {
            method: 'GET',
            path: '/paint/{{color}}',
            description: 'Paints in a colour',
            parameters: [
                { position: { key: 'color', value: '{{USER_PARAM}}', location: 'insert' }, z: { primitive: 'string()', options: [] } }
            ],
            output: { mimeType: 'application/json', schema: { type: 'object', properties: { path: { type: 'string', description: 'What was asked' } } } },
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'paint', aliases: [], alwaysLoad: false },
            tests: [
                { _description: 'Red', color: 'red' },
                { _description: 'Blue', color: 'blue' },
                { _description: 'Ochre', color: 'ochre' }
            ]
        }
    }
}
