export const main = {
    namespace: 'etherscan',
    name: 'Contracts',
    description: 'Contracts',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '4d55295a',
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
        getSourceCode: {
            method: 'GET',
            path: '/getSourceCode',
            description: 'Source of a contract',
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
                searchHint: 'source of a contract',
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
