// The agent that the conformance suite of MCP meets: it may ask its user.
export const agent = {
    name: 'conformance',
    description: 'Everything that the suite calls, with forms for what it leaves out',
    version: 'flowmcp/4.0.0',
    model: 'anthropic/claude-sonnet-4-5-20250929',
    systemPrompt: 'You are a test.',
    tools: {
        'text/tool/testSimple': null,
        'content/tool/testImage': null,
        'handling/tool/testError': null,
        'progress/tool/testToolWith': null,
        'tool/tool/testLogging': null,
        'tool/tool/listRows': null,
        'elicitation/tool/test': null,
        'elicitation/tool/testStreaming': null,
        'elicitation/tool/testInputRequiredResult': null,
        'defaults/tool/testElicitationSep1034': null,
        'state/tool/testInputRequiredResultRequest': null,
        'state/tool/testInputRequiredResultTampered': null,
        'capabilities/tool/testInputRequiredResult': null,
        'round/tool/testInputRequiredResultMulti': null
    },
    resources: {
        'documents/resource/static': null,
        'documents/resource/watched': null,
        'documents/resource/record': null
    },
    prompts: {
        'documents/prompt/test-simple-prompt': null,
        'documents/prompt/test-prompt-with-arguments': null,
        'documents/prompt/test-input-required-result-prompt': null
    },
    skills: {
        'brief': { file: './skills/brief.mjs' }
    },
    elicitation: {
        enabled: true,
        maxRounds: 3,
        requestedSchemas: [
            {
                message: 'What is your name?',
                requestedSchema: {
                    type: 'object',
                    title: 'user_name',
                    properties: {
                        name: { type: 'string', default: 'John Doe' },
                        age: { type: 'integer', default: 30 },
                        score: { type: 'number', default: 95.5 },
                        status: { type: 'string', enum: [ 'active', 'inactive', 'pending' ], default: 'active' },
                        verified: { type: 'boolean', default: true }
                    },
                    required: [ 'name' ]
                }
            },
            {
                message: 'What context should the prompt use?',
                requestedSchema: { type: 'object', title: 'user_context', properties: { context: { type: 'string' } }, required: [ 'context' ] }
            }
        ]
    },
    tests: [
        { _description: 'A text', input: 'Say something simple', expectedTools: [ 'text/tool/testSimple' ], expectedContent: [ 'simple' ] },
        { _description: 'An image', input: 'Show me something', expectedTools: [ 'content/tool/testImage' ], expectedContent: [ 'image' ] },
        { _description: 'What fails', input: 'Fail', expectedTools: [ 'handling/tool/testError' ], expectedContent: [ 'failed' ] }
    ]
}
