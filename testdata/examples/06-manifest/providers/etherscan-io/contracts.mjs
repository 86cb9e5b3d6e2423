export const main = {
    namespace: 'etherscan-io',
    name: 'Contracts',
    description: 'Contracts and balances',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: 'd79c9548',
    root: 'https://api.etherscan.io',
    tools: {
        getContractAbi: {
            method: 'GET',
            path: '/getContractAbi',
            description: 'Interface of a contract',
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
                searchHint: 'interface of a contract',
                aliases: [],
                alwaysLoad: false
            },
            tests: [
                { _description: 'In the morning' },
                { _description: 'At noon' },
                { _description: 'In the evening' }
            ]
        },
        getTokenBalances: {
            method: 'GET',
            path: '/getTokenBalances',
            description: 'Balances of tokens',
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
                searchHint: 'balances of tokens',
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
