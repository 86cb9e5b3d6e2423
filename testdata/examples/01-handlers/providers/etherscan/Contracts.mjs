export const main = {
    namespace: 'etherscan',
    name: 'Contracts',
    description: 'What the handlers are for',
    version: '4.0.0',
    schemaVersion: '1.0.0',
    schemaHash: '6d534f5e',
    root: 'https://api.example.com',
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
        }
    },
    sharedLists: [ { ref: 'evmChains', version: '1.0.0' } ]
}

export const handlers = ( { sharedLists, libraries } ) => ({
    getContractAbi: {
        preRequest: async ( { struct, payload } ) => {
            const chain = sharedLists.evmChains
                .find( ( c ) => c.alias === payload.chainName )
            const updatedPayload = { ...payload, chainId: chain.chainId }

            return { struct, payload: updatedPayload }
        },
        postRequest: async ( { response, struct, payload } ) => {
            const { result } = response
            const parsed = JSON.parse( result )

            return { response: parsed }
        }
    }
})
