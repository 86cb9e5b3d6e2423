
export const main = {
    namespace: 'demo',
    name: 'DemoClock',
    description: 'The time, which no server is asked for',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '48813261',
    root: '',
    tools: {
        now: {
            method: 'GET',
            path: '/',
            description: 'The number of seconds since 1970',
            parameters: [],
            output: {
                mimeType: 'application/json',
                schema: {
                    type: 'object',
                    properties: {
                        seconds: { type: 'number', description: 'Seconds since 1970' }
                    }
                }
            },
            meta: {
                isReadOnly: true,
                isConcurrencySafe: true,
                isDestructive: false,
                searchHint: 'time clock now',
                aliases: [],
                alwaysLoad: false
            },
            tests: [
                { _description: 'Now' },
                { _description: 'A little later' },
                { _description: 'Later still' }
            ]
        }
    }
}
export const handlers = () => ( {
    now: { executeRequest: async () => ( { response: { seconds: Math.floor( Date.now() / 1000 ) } } ) }
} )
