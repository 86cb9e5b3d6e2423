// An agent with all that one can have: fmcp-serve --agent harbour-master serves
// exactly this.
export const agent = {
    name: 'harbour-master',
    description: 'Tells which ships come in, when the tide allows it, and what to beware of at sea',
    version: 'flowmcp/4.0.0',
    model: 'anthropic/claude-sonnet-4-5-20250929',
    systemPrompt: 'You are the master of a small harbour. Answer in short sentences. Give times with their zone, and depths in metres. If you do not know something, say so, and whom to call.',
    tools: {
        'tidewatch/tool/listStations': null,
        'tidewatch/tool/getTides': null,
        'harbourlog/tool/getWarnings': null
    },
    resources: {
        'tidewatch/resource/handbook': null,
        'duties': {
            source: 'markdown',
            origin: 'inline',
            name: 'harbour-master-duties.md',
            description: 'What the master of the harbour may decide, and what not'
        }
    },
    prompts: {
        'tidewatch/prompt/about': null,
        'about': { file: './prompts/about.mjs' },
        'daily-brief': { file: './prompts/daily-brief.mjs' }
    },
    skills: {
        'storm-check': { file: './skills/storm-check.mjs' }
    },
    selections: ['harbour-desk/selection/arrivals'],
    elicitation: {
        enabled: true,
        maxRounds: 2,
        requestedSchemas: [
            {
                message: 'Which ship is it?',
                requestedSchema: {
                    type: 'object',
                    properties: {
                        ship: { type: 'string', title: 'Ship', description: 'Name of the ship' },
                        draught: { type: 'number', title: 'Draught', description: 'Draught in metres' }
                    },
                    required: ['ship']
                }
            }
        ]
    },
    tests: [
        {
            _description: 'One tool: the tide at a gauge',
            input: 'When is high water in Cuxhaven today?',
            expectedTools: ['tidewatch/tool/getTides'],
            expectedContent: ['high water']
        },
        {
            _description: 'A tool of its selection: who comes in',
            input: 'Which ships are expected at Emden?',
            expectedTools: ['harbourlog/tool/listArrivals'],
            expectedContent: ['Emden']
        },
        {
            _description: 'Two providers: whether it is safe to leave',
            input: 'Can I leave Cuxhaven for the German Bight tonight?',
            expectedTools: ['tidewatch/tool/getTides', 'harbourlog/tool/getWarnings'],
            expectedContent: ['warning', 'tide']
        }
    ],
    maxRounds: 6,
    maxTokens: 2048,
    sharedLists: ['seaAreas'],
    inputSchema: {
        type: 'object',
        properties: {
            question: { type: 'string', description: 'What the skipper asks' }
        },
        required: ['question']
    },
    hash: 'sha256:ff90b53818028cccc27c6ecad1ab46347d5b048b2f64dd6ab311c4745f89fe68'
}
