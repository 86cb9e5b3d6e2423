export const main = {
    namespace: 'coingecko-com',
    name: 'CoinGeckoSimplePrice',
    description: 'Prices of coins',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '4c270e0f',
    root: 'https://api.coingecko.com',
    tools: {
        simplePrice: {
            method: 'GET',
            path: '/simplePrice',
            description: 'Prices of coins',
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
                searchHint: 'prices of coins',
                aliases: [],
                alwaysLoad: false
            },
            tests: [
                { _description: 'In the morning' },
                { _description: 'At noon' },
                { _description: 'In the evening' }
            ]
        },
        getCoinMarkets: {
            method: 'GET',
            path: '/getCoinMarkets',
            description: 'Markets of coins',
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
                searchHint: 'markets of coins',
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
