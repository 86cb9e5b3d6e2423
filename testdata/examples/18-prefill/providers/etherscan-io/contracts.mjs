export const main = {
    namespace: 'etherscan-io',
    name: 'Contracts',
    description: 'Contracts and networks',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: 'f186d2a5',
    root: 'https://api.etherscan.io',
    tools: {
        getSmartContractAbi: {
            method: 'GET',
            path: '/getSmartContractAbi',
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
        getContractCreation: {
            method: 'GET',
            path: '/getContractCreation',
            description: 'Creation of a contract',
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
                searchHint: 'creation of a contract',
                aliases: [],
                alwaysLoad: false
            },
            tests: [
                { _description: 'In the morning' },
                { _description: 'At noon' },
                { _description: 'In the evening' }
            ]
        },
        getNetworkStatus: {
            method: 'GET',
            path: '/getNetworkStatus',
            description: 'Status of a network',
            parameters: [
                {
                    position: { key: 'network', value: '{{USER_PARAM}}', location: 'query' },
                    z: { primitive: 'string()', options: [ 'min(1)' ] }
                }
            ],
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
                searchHint: 'status of a network',
                aliases: [],
                alwaysLoad: false
            },
            tests: [
                { _description: 'The main network', network: 'mainnet' },
                { _description: 'A test network', network: 'sepolia' },
                { _description: 'A second layer', network: 'base' }
            ]
        }
    }
}
