// A tool that code takes part in.
export const main = {
    namespace: 'api',
    name: 'Handled',
    description: 'A tool that code takes part in',
    version: '4.0.0',
    root: 'https://localhost:18443',
    docs: [],
    tags: [],
    tools: {
        handled: {
            method: 'GET',
            path: '/handled',
            description: 'Would be changed by code',
            parameters: [],
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'handled', aliases: [], alwaysLoad: false },
            tests: [{ _description: 'One' }, { _description: 'Two' }, { _description: 'Three' }]
        }
    }
}

export const handlers = ( { sharedLists } ) => ( {
    handled: {
        postRequest: async ( { response, struct, payload } ) => ( { response } )
    }
} )
