// The modes of large catalogs: node modes.mjs search|code COMMAND...
import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const [mode, command, ...args] = process.argv.slice(2)
const client = new Client({ name: 'interop', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
await client.connect(new StdioClientTransport({ command, args: ['--mode', mode, ...args], env: process.env, stderr: 'ignore' }))

const names = (await client.listTools()).tools.map(({ name }) => name)
const ask = async (name, given) => {
    const { content, isError } = await client.callTool({ name, arguments: given })
    return { isError, text: content[0].text }
}

// What the tool is called is found by what it does, and the tool itself can be called.
assert.match((await ask('search', { query: 'many rows' })).text, /list_rows_tool/)
assert.match((await ask('test_simple_text', {})).text, /simple text/)
if (mode === 'search') {
    assert.deepEqual(names, ['search', 'describe', 'call_read', 'call_write'])
    assert.match((await ask('describe', { names: ['list_rows_tool'] })).text, /"maximum":5000/)
    const rows = await ask('call_read', { name: 'list_rows_tool', arguments: { limit: 2 } })
    assert.equal(JSON.parse(rows.text).data.length, 2)
} else {
    assert.deepEqual(names, ['search', 'execute'])
    const code = `
        const [rows, text] = await Promise.all([call('list_rows_tool', { limit: 3 }), call('text/tool/testSimple')])
        return rows.length + ' ' + text`
    assert.match((await ask('execute', { code })).text, /3 This is a simple text/)
    const wrong = await ask('execute', { code: 'const a = 1\nreturn b' })
    assert.ok(wrong.isError)
    assert.match(wrong.text, /b is not defined.*2/s)
}
await client.close()
