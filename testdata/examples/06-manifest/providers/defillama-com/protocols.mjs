export const main = {
    namespace: 'defillama-com',
    name: 'Protocols',
    description: 'Protocols of decentralised finance',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '5716ac4a',
    root: 'https://api.llama.fi',
    tools: {
        getProtocolTvl: {
            method: 'GET',
            path: '/getProtocolTvl',
            description: 'Value that a protocol holds',
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
                searchHint: 'value that a protocol holds',
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
