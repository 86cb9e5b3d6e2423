// One scenario with the TypeScript SDKs: node typescript.mjs v1|v2 legacy|modern URL|COMMAND...
// CATALOG and NEXT name the file that is served, and one in which a tool says something
// else, which takes its place on the way. It prints nothing where all is as it should be.
import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'

const [sdk, era, ...target] = process.argv.slice(2)
const http = target[0].startsWith('http')
const load = sdk === 'v1'
    ? async () => ({
        ...await import('@modelcontextprotocol/sdk/client/index.js'),
        ...await import('@modelcontextprotocol/sdk/client/stdio.js'),
        ...await import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
        ...await import('@modelcontextprotocol/sdk/types.js')
    })
    : async () => ({
        ...await import('@modelcontextprotocol/client'),
        ...await import('@modelcontextprotocol/client/stdio')
    })
const { Client, StdioClientTransport, StreamableHTTPClientTransport, ...types } = await load()

const client = new Client({ name: 'interop', version: '1.0.0' }, {
    capabilities: { elicitation: {} },
    ...(era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {})
})
const asked = []
const answer = async (request) => {
    asked.push(request.params.message)
    return { action: 'accept', content: { name: 'Ada' } }
}
const changed = Promise.withResolvers()
if (sdk === 'v1') {
    client.setRequestHandler(types.ElicitRequestSchema, answer)
    client.setNotificationHandler(types.ToolListChangedNotificationSchema, () => changed.resolve())
} else {
    client.setRequestHandler('elicitation/create', answer)
    client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve())
}
const transport = http
    ? new StreamableHTTPClientTransport(new URL(target[0]))
    : new StdioClientTransport({ command: target[0], args: target.slice(1), env: process.env, stderr: 'ignore' })
await client.connect(transport)

const text = (result) => result.content.map((block) => block.text ?? '').join('')
const call = (name, args = {}, options) => sdk === 'v1'
    ? client.callTool({ name, arguments: args }, undefined, options)
    : client.callTool({ name, arguments: args }, options)
const fails = (promise, pattern) => assert.rejects(promise, (error) => {
    assert.match(error.message, pattern)
    return true
})

// What there is.
assert.equal(client.getServerVersion().name, 'catalog')
const { tools } = await client.listTools()
const names = tools.map((tool) => tool.name)
assert.ok(names.includes('test_simple_text'), names.join())
assert.ok(tools.find(({ name }) => name === 'test_simple_text').annotations.readOnlyHint)

// Calls: a text, an image, a failure, wrong parameters, no such tool, an answer that is cut.
assert.equal(text(await call('test_simple_text')), 'This is a simple text response for testing.')
assert.equal((await call('test_image_content')).content[0].mimeType, 'image/png')
const failed = await call('test_error_handling')
assert.ok(failed.isError)
assert.match(text(failed), /this always fails/)
const wrong = await call('list_rows_tool', { limit: 'many' })
assert.ok(wrong.isError)
assert.match(text(wrong), /EXE012.*limit/)
await fails(call('no_such_tool'), /there is no tool/)
const cut = text(await call('list_rows_tool'))
assert.ok(cut.length < 50_000, `${cut.length}`)
assert.match(JSON.parse(cut).messages[0], /of 5000 items; .*\\?"limit/)
assert.equal(JSON.parse(text(await call('list_rows_tool', { limit: 3 }))).data.length, 3)

// The user is asked for what a call lacks.
assert.equal(text(await call('test_input_required_result_elicitation')), 'Hello, Ada!')
assert.deepEqual(asked, ['What is your name?'])

// Progress, and a call that is cancelled.
const steps = []
await call('test_tool_with_progress', {}, { onprogress: ({ progress }) => steps.push(progress) })
assert.ok(steps.length >= 3 && steps.every((step, i) => i === 0 || step > steps[i - 1]), steps.join())
const abort = new AbortController()
const slow = call('test_tool_with_progress', {}, { signal: abort.signal })
setTimeout(() => abort.abort('enough'), 200)
const begun = Date.now()
await assert.rejects(slow)
assert.ok(Date.now() - begun < 2000)

// Resources and templates.
const { resources } = await client.listResources()
assert.ok(resources.some(({ uri }) => uri === 'test://static-text'))
const { resourceTemplates } = await client.listResourceTemplates()
assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'test://template/{id}/data'))
assert.match((await client.readResource({ uri: 'test://static-text' })).contents[0].text, /stays the same/)
assert.match((await client.readResource({ uri: 'test://template/12%2F3/data' })).contents[0].text, /"id":"12\/3"/)
await fails(client.readResource({ uri: 'test://nothing' }), /there is no resource/)

// Prompts, a skill with a call beforehand, and completion.
const { prompts } = await client.listPrompts()
assert.ok(prompts.some(({ name }) => name === 'conformance/skill/brief'))
const brief = { name: 'conformance/skill/brief', arguments: { length: 'short' } }
assert.match((await client.getPrompt(brief)).messages[0].content.text, /a short brief.*simple text response/s)
await fails(client.getPrompt({ ...brief, arguments: { length: 'endless' } }), /expected one of short, long/)
await fails(client.getPrompt({ name: 'conformance/skill/breef' }), /did you mean .*brief/)
const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: brief.name }, argument: { name: 'length', value: 's' }
})
assert.deepEqual(completion.values, ['short'])

// The catalog changes: clients are told, and the list is another.
let listening
if (era === 'modern') {
    listening = await client.listen({ toolsListChanged: true })
}
copyFileSync(process.env.NEXT, process.env.CATALOG)
await Promise.race([changed.promise, new Promise((_, reject) => setTimeout(reject, 15_000, new Error('not told')))])
const later = (await client.listTools()).tools.find(({ name }) => name === 'test_logging_tool')
assert.match(later.description, /keeps quiet/)
await listening?.close?.()

await client.close()
