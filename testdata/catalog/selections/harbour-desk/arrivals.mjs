// What belongs together when ships come in. Members are IDs, or keys with the file
// of what the selection defines itself.
export const selection = {
    namespace: 'harbour-desk',
    name: 'arrivals',
    version: 'flowmcp/4.0.0',
    description: 'Ships that are expected, the berths for them, and the tide that brings them',
    whenToUse: 'The user wants to know which ships come in, and where they can lie.',
    tools: ['harbourlog/tool/listArrivals', 'harbourlog/tool/getBerths', 'tidewatch/tool/getTides'],
    skills: {
        'berth-plan': { file: './skills/berth-plan.mjs' }
    },
    resources: ['tidewatch/resource/harbours'],
    prompts: ['tidewatch/prompt/about']
}
