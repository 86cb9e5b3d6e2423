// B, static: it makes no calls, so there is nothing to test.
export const main = {
    namespace: 'guide',
    name: 'About',
    description: 'How the schemas of the harbour belong together',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: '3a2f5a94',
    prompts: {
        plan: {
            name: 'plan',
            version: 'flowmcp-prompt/1.0.0',
            namespace: 'guide',
            description: 'How to plan a call at a port',
            dependsOn: [],
            references: [],
            contentFile: './prompts/plan.mjs'
        }
    }
}
