// Mistakes that the types find: TypeScript fails where one of these lines has none.

/** @type {import('../../../types/flowmcp.d.ts').Main} */
export const main = {
    namespace: 'weather',
    name: 'Forecast',
    description: 'Forecasts of the weather at a place',
    version: '4.0.0',
    root: 'https://api.example.com',
    // @ts-expect-error a text in the place of an array
    tags: 'weather',
    tools: {
        getForecast: {
            // @ts-expect-error a method that there is not
            method: 'PATCH',
            path: '/forecast',
            description: 'Returns the forecast for a place',
            parameters: [
                {
                    // @ts-expect-error a location of other formats
                    position: { key: 'lat', value: '{{USER_PARAM}}', location: 'path' },
                    // @ts-expect-error a primitive without brackets
                    z: { primitive: 'number', options: [] }
                },
                // @ts-expect-error no z
                { position: { key: 'lon', value: '{{USER_PARAM}}', location: 'query' } }
            ],
            output: {
                mimeType: 'application/json',
                // @ts-expect-error a type that outputs do not have
                schema: { type: 'object', properties: { days: { type: 'integer' } } }
            },
            // @ts-expect-error a test without description
            tests: [ { lat: 52.5 } ],
            // @ts-expect-error no aliases and no alwaysLoad
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'weather' }
        }
    },
    resources: {
        // @ts-expect-error a document has no mode
        guide: { source: 'markdown', mode: 'in-memory', origin: 'inline', name: 'guide.md', description: 'How to' }
    }
}

/** @type {import('../../../types/flowmcp.d.ts').Main} */
export const misspelt = {
    namespace: 'weather',
    name: 'Nothing',
    description: 'Nothing at all',
    version: '4.0.0',
    // @ts-expect-error a misspelt field
    requiredServerParam: [ 'KEY' ]
}

/** @type {import('../../../types/flowmcp.d.ts').Handlers} */
export const handlers = () => ( {
    getForecast: {
        // @ts-expect-error a stage that returns no payload
        preRequest: async ( { struct } ) => ( { struct } )
    }
} )

/** @type {import('../../../types/flowmcp.d.ts').Skill} */
export const skill = {
    name: 'storm-check',
    // @ts-expect-error the version of the skill, in the place of that of the format
    version: '1.0.0',
    type: 'namespace',
    description: 'Looks for storms',
    whenToUse: 'The user fears a storm.',
    // @ts-expect-error an input without type and description
    input: [ { key: 'place', required: true } ],
    output: 'One sentence',
    content: 'Ask for the forecast of {{input:place}}.'
}

/** @type {import('../../../types/flowmcp.d.ts').List} */
export const list = {
    meta: {
        name: 'seaAreas',
        version: '1.0.0',
        description: 'Sea areas',
        // @ts-expect-error a type that fields do not have
        fields: [ { key: 'alias', type: 'text', description: 'The name' } ]
    },
    entries: [ { alias: 'dogger' } ]
}

/** @type {import('../../../types/flowmcp.d.ts').Selection} */
// @ts-expect-error no whenToUse
export const selection = {
    namespace: 'trips', name: 'weather', version: 'flowmcp/4.0.0', description: 'Weather on the way',
    tools: [ 'weather/tool/getForecast' ], skills: [], resources: [], prompts: []
}
