export const main = {
    namespace: 'documents',
    name: 'Documents',
    description: 'What can be read',
    version: '4.2.0',
    schemaVersion: '1.0.0',
    schemaHash: 'a3c77259',
    docs: [ 'https://modelcontextprotocol.io' ],
    tags: [ 'conformance' ],
    resources: {
        static: {
            source: 'markdown',
            origin: 'inline',
            name: 'static.md',
            description: 'A text that stays the same',
            uri: 'test://static-text'
        },
        watched: {
            source: 'markdown',
            origin: 'inline',
            name: 'watched.md',
            description: 'A text that may change',
            uri: 'test://watched-resource'
        }
    },
    prompts: {
        'test-simple-prompt': {
            name: 'test-simple-prompt',
            version: 'flowmcp-prompt/1.0.0',
            namespace: 'documents',
            description: 'A text without arguments',
            dependsOn: [],
            references: [],
            contentFile: './prompts/simple.mjs'
        },
        'test-prompt-with-arguments': {
            name: 'test-prompt-with-arguments',
            version: 'flowmcp-prompt/1.0.0',
            namespace: 'documents',
            description: 'A text with two arguments',
            dependsOn: [],
            references: [],
            contentFile: './prompts/arguments.mjs'
        },
        'test-input-required-result-prompt': {
            name: 'test-input-required-result-prompt',
            version: 'flowmcp-prompt/1.0.0',
            namespace: 'documents',
            description: 'A text that needs a context',
            dependsOn: [],
            references: [],
            contentFile: './prompts/context.mjs'
        }
    }
}
