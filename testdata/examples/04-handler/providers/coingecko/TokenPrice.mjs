export const main = {
    namespace: 'coingecko',
    name: 'TokenPrice',
    description: 'What the handlers are for',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: 'bd175eec',
    root: 'https://api.example.com',
    tools: {
        getTokenPrice: {
            method: 'GET',
            path: '/getTokenPrice',
            description: 'Price of a token',
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
                searchHint: 'price of a token',
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

// Raw API response from CoinGecko:
// { "bitcoin": { "usd": 45000, "usd_market_cap": 850000000000 } }

// postRequest handler (inside factory) flattens it:
export const handlers = ( { sharedLists, libraries } ) => ({
    getTokenPrice: {
        postRequest: async ( { response, struct, payload } ) => {
            const [ id ] = Object.keys( response )
            const { usd, usd_market_cap } = response[ id ]

            return { response: { id, price: usd, marketCap: usd_market_cap } }
        }
    }
})
