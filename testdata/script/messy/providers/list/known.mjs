// a shared list
export const main = {
    namespace: 'list',
    name: 'Known',
    description: 'A schema of the messy catalog: a shared list',
    version: '4.0.0',
    root: 'https://localhost:18443',
    docs: [],
    tags: ['messy'],
    sharedLists: [ { ref: 'colors', version: '1.0.0', filter: { key: 'warm', value: true } } ],
    tools: {
        paint: {
            method: 'GET',
            path: '/paint/{{color}}',
            description: 'Paints in a colour',
            parameters: [
                { position: { key: 'color', value: '{{USER_PARAM}}', location: 'insert' }, z: { primitive: 'enum({{colors:name}})', options: [] } }
            ],
            output: { mimeType: 'application/json', schema: { type: 'object', properties: { path: { type: 'string', description: 'What was asked' } } } },
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'paint', aliases: [], alwaysLoad: false },
            tests: [
                { _description: 'Red', color: 'red' },
                { _description: 'Red again', color: 'red' },
                { _description: 'Ochre', color: 'ochre' }
            ]
        }
    }
}
