export const schema = {
    main: {
        namespace: 'etherscan-io',
        name: 'contracts',
        version: '4.0.0'
    },
    tools: {
        getAbi: {
            description: 'Get contract ABI',
            parameters: { address: { type: 'string', description: 'Contract address' } },
            meta: {
                isReadOnly: true,
                isConcurrencySafe: true,
                isDestructive: false,
                searchHint: 'contract ABI ethereum smart contract',
                aliases: [ 'getContractAbi' ],
                alwaysLoad: false
            }
        }
    }
}
