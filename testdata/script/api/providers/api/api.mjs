// The tools that the scripts of fmcp-exec and fmcp-serve call.
export const main = {
    namespace: 'api',
    name: 'Api',
    description: 'An API that answers with what it was asked',
    version: '4.0.0',
    root: 'https://localhost:18443',
    docs: [],
    tags: [],
    requiredServerParams: ['PARCELBIRD_TOKEN'],
    headers: { Authorization: 'Bearer {{SERVER_PARAM:PARCELBIRD_TOKEN}}', Accept: 'application/json' },
    tools: {
        echo: {
            method: 'GET',
            path: '/echo/{{id}}',
            description: 'Answers with the request',
            parameters: [
                { position: { key: 'id', value: '{{USER_PARAM}}', location: 'insert' }, z: { primitive: 'string()', options: ['max(20)'] } },
                { position: { key: 'n', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'number()', options: ['default(7)'] } },
                { position: { key: 'word', value: '{{USER_PARAM}}', location: 'query' }, z: { primitive: 'string()', options: ['optional()'] } },
                { position: { key: 'fixed', value: 'f', location: 'query' }, z: { primitive: 'string()', options: [] } },
                { position: { key: 'key', value: '{{SERVER_PARAM:PARCELBIRD_TOKEN}}', location: 'query' }, z: { primitive: 'string()', options: [] } }
            ],
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'echo', aliases: [], alwaysLoad: false },
            tests: [{ _description: 'One', id: 'one' }, { _description: 'Two', id: 'two' }, { _description: 'Three', id: 'three' }]
        },
        send: {
            method: 'POST',
            path: '/send',
            description: 'Sends a body',
            parameters: [
                { position: { key: 'to', value: '{{USER_PARAM}}', location: 'body' }, z: { primitive: 'object()', options: [] } },
                { position: { key: 'tags', value: '{{USER_PARAM}}', location: 'body' }, z: { primitive: 'array()', options: ['optional()'] } },
                { position: { key: 'secret', value: '{{SERVER_PARAM:PARCELBIRD_TOKEN}}', location: 'body' }, z: { primitive: 'string()', options: [] } }
            ],
            meta: { isReadOnly: false, isConcurrencySafe: true, isDestructive: false, searchHint: 'send', aliases: [], alwaysLoad: false },
            tests: [{ _description: 'One', to: { a: 1 } }, { _description: 'Two', to: { a: 2 } }, { _description: 'Three', to: { a: 3 } }]
        },
        status: {
            method: 'GET',
            path: '/status/{{code}}',
            description: 'Fails with the status',
            parameters: [
                { position: { key: 'code', value: '{{USER_PARAM}}', location: 'insert' }, z: { primitive: 'number()', options: [] } }
            ],
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'status', aliases: [], alwaysLoad: false },
            tests: [{ _description: 'One', code: 404 }, { _description: 'Two', code: 500 }, { _description: 'Three', code: 401 }]
        },
        text: {
            method: 'GET',
            path: '/text',
            description: 'Promises JSON and answers with text',
            parameters: [],
            output: { mimeType: 'application/json', schema: { type: 'object', properties: { x: { type: 'string', description: 'x' } } } },
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'text', aliases: [], alwaysLoad: false },
            tests: [{ _description: 'One' }, { _description: 'Two' }, { _description: 'Three' }]
        },
        large: {
            method: 'GET',
            path: '/large',
            description: 'Answers with a megabyte',
            parameters: [],
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'large', aliases: [], alwaysLoad: false },
            tests: [{ _description: 'One' }, { _description: 'Two' }, { _description: 'Three' }]
        },
        wait: {
            method: 'GET',
            path: '/wait',
            description: 'Answers when it is told to',
            parameters: [],
            meta: { isReadOnly: true, isConcurrencySafe: true, isDestructive: false, searchHint: 'wait', aliases: [], alwaysLoad: false },
            tests: [{ _description: 'One' }, { _description: 'Two' }, { _description: 'Three' }]
        }
    }
}
