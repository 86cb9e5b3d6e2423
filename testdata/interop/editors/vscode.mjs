// The language server as VS Code's own library for clients talks to it: node vscode.mjs
// FOLDER, which holds a copy of testdata/catalog. fmcp-validate is in the PATH.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import lsp from 'vscode-languageserver-protocol/node'

const folder = process.argv[ 2 ]
const file = name => join( folder, ...name.split( '/' ) )
const uri = name => pathToFileURL( file( name ) ).href
const stations = 'providers/tidewatch/stations.mjs'
const arrivals = 'selections/harbour-desk/arrivals.mjs'

const server = spawn( 'fmcp-validate', [ 'lsp', '--profile', 'community' ], { stdio: [ 'pipe', 'pipe', 'inherit' ] } )
const client = lsp.createProtocolConnection(
    new lsp.StreamMessageReader( server.stdout ), new lsp.StreamMessageWriter( server.stdin ) )
client.onError( error => { throw error[ 0 ] } )

const shown = new Map()
let look = () => {}
client.onNotification( lsp.PublishDiagnosticsNotification.type, p => {
    shown.set( p.uri, p.diagnostics )
    look()
} )
client.onRequest( lsp.RegistrationRequest.type, () => null )
client.listen()

// found waits until a file has findings of just these codes.
const found = ( name, ...codes ) => new Promise( ( resolve, reject ) => {
    const timer = setTimeout( () => reject( new Error(
        `${name} has ${JSON.stringify( shown.get( uri( name ) ) )}, expected ${codes}` ) ), 20000 )
    look = () => {
        const list = shown.get( uri( name ) ) ?? []
        if( list.map( d => d.code ).sort().join() !== codes.sort().join() ) { return }
        clearTimeout( timer )
        resolve( list )
    }
    look()
} )

const offsetAt = ( text, { line, character } ) =>
    text.split( '\n' ).slice( 0, line ).join( '\n' ).length + ( line > 0 ? 1 : 0 ) + character
const positionOf = ( text, part, at = 0 ) => {
    const before = text.slice( 0, text.indexOf( part ) + at )
    assert( text.includes( part ), part )
    return { line: before.split( '\n' ).length - 1, character: before.length - before.lastIndexOf( '\n' ) - 1 }
}
const applied = ( text, edits ) => edits.toReversed().reduce( ( now, e ) =>
    now.slice( 0, offsetAt( now, e.range.start ) ) + e.newText + now.slice( offsetAt( now, e.range.end ) ), text )

let version = 1
const change = text => client.sendNotification( lsp.DidChangeTextDocumentNotification.type,
    { textDocument: { uri: uri( stations ), version: ++version }, contentChanges: [ { text } ] } )

const { capabilities } = await client.sendRequest( lsp.InitializeRequest.type, {
    processId: process.pid, rootUri: null, workspaceFolders: [ { uri: pathToFileURL( folder ).href, name: 'catalog' } ],
    capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } }
} )
assert.equal( capabilities.positionEncoding, 'utf-16' )
await client.sendNotification( lsp.InitializedNotification.type, {} )

// Findings come as one types, in other files too, and a quick fix takes them away.
const right = readFileSync( file( stations ), 'utf8' )
const document = { textDocument: { uri: uri( stations ) } }
await client.sendNotification( lsp.DidOpenTextDocumentNotification.type,
    { textDocument: { uri: uri( stations ), languageId: 'javascript', version, text: right } } )
const wrong = right.replace( "method: 'GET'", "/* 𝄞 */ method: 'get'" )
await change( wrong )
const [ finding ] = ( await found( stations, 'CMP006', 'VAL032' ) ).filter( d => d.code === 'VAL032' )
assert.equal( wrong.slice( offsetAt( wrong, finding.range.start ), offsetAt( wrong, finding.range.end ) ), 'method' )
const actions = await client.sendRequest( lsp.CodeActionRequest.type,
    { ...document, range: finding.range, context: { diagnostics: [ finding ], only: [ lsp.CodeActionKind.QuickFix ] } } )
assert.equal( actions.length, 1, JSON.stringify( actions ) )
const fixed = applied( wrong, actions[ 0 ].edit.changes[ uri( stations ) ] )
assert.equal( fixed, wrong.replace( "'get'", "'GET'" ) )
await change( fixed )
await found( stations )

const renamed = right.replace( 'getTides:', 'getTide:' )
await change( renamed )
await found( arrivals, 'SEL003' )
await change( right )
await found( arrivals )

// What is asked about places.
const hover = await client.sendRequest( lsp.HoverRequest.type,
    { ...document, position: positionOf( right, "ref: 'seaAreas'", 7 ) } )
assert( hover.contents.value.includes( 'german-bight' ), hover.contents.value )
const definition = await client.sendRequest( lsp.DefinitionRequest.type,
    { ...document, position: positionOf( right, "ref: 'seaAreas'", 7 ) } )
assert.equal( definition[ 0 ].uri, uri( '_lists/sea-areas.mjs' ) )
const references = await client.sendRequest( lsp.ReferencesRequest.type,
    { ...document, position: positionOf( right, 'getTides:', 2 ), context: { includeDeclaration: false } } )
assert( references.some( r => r.uri === uri( arrivals ) ), JSON.stringify( references ) )
const open = right.replace( "method: 'GET',", "method: '" )
await change( open )
const list = await client.sendRequest( lsp.CompletionRequest.type,
    { ...document, position: positionOf( open, "method: '", 9 ) } )
assert.deepEqual( list.items.map( i => i.label ), [ 'GET', 'POST', 'PUT', 'DELETE' ] )

await client.sendRequest( lsp.ShutdownRequest.type )
await client.sendNotification( lsp.ExitNotification.type )
const status = await new Promise( resolve => server.on( 'exit', resolve ) )
assert.equal( status, 0 )
client.dispose()
console.log( 'interop: the language server answers the library of VS Code' )
