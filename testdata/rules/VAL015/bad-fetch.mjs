
export const main = {
    namespace: 'demo',
    name: 'DemoClock',
    description: 'The time of a server',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '84ea2f58',
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
    now: {
        executeRequest: async () => {
            const response = await fetch( 'https://time.example.com/now' )

            return { response: await response.json() }
        }
    }
} )
