export const schema = {
    main: {
        namespace: 'etherscan-io',
        name: 'contracts',
        version: '3.0.0'
    },
    tools: {
        getAbi: {
            description: 'Get contract ABI',
            parameters: { address: { type: 'string', description: 'Contract address' } }
        }
    }
}
