export const main = {
    namespace: 'weather',
    name: 'Weather',
    description: 'What the handlers are for',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: 'bba50385',
    root: 'https://api.example.com',
    tools: {
        getXmlData: {
            method: 'GET',
            path: '/getXmlData',
            description: 'Weather as XML',
            parameters: [],
            output: {
                mimeType: 'application/json',
                schema: {
                    type: 'object',
                    properties: {
                        result: { type: 'string', description: 'What was asked for' }
                    }
                }
            },
            meta: {
                isReadOnly: true,
                isConcurrencySafe: true,
                isDestructive: false,
                searchHint: 'weather as xml',
                aliases: [],
                alwaysLoad: false
            },
            tests: [
                { _description: 'In the morning' },
                { _description: 'At noon' },
                { _description: 'In the evening' }
            ]
        }
    }
}

export const handlers = ( { sharedLists, libraries } ) => ({
    getXmlData: {
        executeRequest: async ( { struct, payload } ) => {
            const { xml2js } = libraries
            const rawResponse = await fetch( struct.url, { method: struct.method, headers: struct.headers } )
            const text = await rawResponse.text()
            const parsed = await xml2js.parseStringPromise( text )

            return { response: parsed }
        }
    }
})
