// a handler
export const main = {
    namespace: 'code',
    name: 'Handled',
    description: 'A schema of the messy catalog: a handler',
    version: '4.0.0',
    root: 'https://localhost:18443',
    docs: [],
    tags: ['messy'],
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

export const handlers = ( { sharedLists } ) => ( {
    paint: {
        postRequest: async ( { response, struct, payload } ) => ( { response } )
    }
} )
