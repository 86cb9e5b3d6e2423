// types/flowmcp.d.ts in TypeScript: it finds the mistakes of mistakes.mjs, accepts what fmcp-validate
// accepts, completes fields and values, and says what a field is for.
//
//     node types.mjs FOLDER    the folder is empty, and gets copies of the examples
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const here = dirname( fileURLToPath( import.meta.url ) )
const repository = resolve( here, '../../..' )
const work = resolve( process.argv[ 2 ] )
const exported = { main: 'Main', handlers: 'Handlers', list: 'List', agent: 'Agent', selection: 'Selection',
    skill: 'Skill', prompt: 'Prompt' }
const options = { allowJs: true, checkJs: true, noEmit: true, strict: false, types: [],
    target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext }

// Examples that fmcp-validate accepts and TypeScript does not, and why.
const skipped = {
    'catalog/providers/harbourlog/calls.mjs': 'a handler hands a number to a function that wants a string'
}

let failed = 0
const fail = ( text ) => { failed++; console.error( `types: ${text}` ) }

// mistakes are what TypeScript finds in files, by file.
const mistakes = ( files ) => {
    const found = {}
    for( const { file, start, messageText } of ts.getPreEmitDiagnostics( ts.createProgram( files, options ) ) ) {
        const line = file ? file.getLineAndCharacterOfPosition( start ).line + 1 : 0
        found[ file?.fileName ] ??= []
        found[ file?.fileName ].push( `line ${line}: ${ts.flattenDiagnosticMessageText( messageText, '\n' )}` )
    }
    return found
}

// typed has the comment above each export.
const typed = ( text, file ) => {
    const types = relative( dirname( file ), join( repository, 'types/flowmcp.d.ts' ) )
    return text.replace( /^export const (\w+) =/gm, ( all, name ) =>
        exported[ name ] ? `/** @type {import('${types}').${exported[ name ]}} */\n${all}` : all )
}

// accepted are the modules of a catalog without an error of fmcp-validate.
const accepted = ( root ) => {
    let out
    try {
        out = execFileSync( 'fmcp-validate', [ '-f', 'ndjson', root ], { encoding: 'utf8', stdio: [ 'ignore', 'pipe', 'ignore' ] } )
    } catch( e ) {
        out = e.stdout
    }
    const records = out.split( '\n' ).filter( Boolean ).map( ( line ) => JSON.parse( line ) )
    const wrong = new Set( records.filter( ( r ) => r.kind === 'error' || r.severity === 'error' )
        .map( ( r ) => resolve( r.loc?.path ?? r.input ) ) )
    return readdirSync( root, { recursive: true } ).filter( ( name ) => name.endsWith( '.mjs' ) )
        .map( ( name ) => join( root, name ) ).filter( ( file ) => !wrong.has( file ) )
}

// asked is a language service about one text, with the place in it that /*?*/ marks.
const asked = ( body ) => {
    const file = join( work, 'asked.mjs' )
    const text = typed( `export const main = ${body}`, file )
    const host = {
        getScriptFileNames: () => [ file ],
        getScriptVersion: () => '1',
        getScriptSnapshot: ( name ) => ts.ScriptSnapshot.fromString( name === file ? text : readFileSync( name, 'utf8' ) ),
        getCurrentDirectory: () => work,
        getCompilationSettings: () => options,
        getDefaultLibFileName: ts.getDefaultLibFilePath,
        fileExists: ( name ) => name === file || ts.sys.fileExists( name ),
        readFile: ts.sys.readFile
    }
    return { service: ts.createLanguageService( host ), file, at: text.indexOf( '/*?*/' ) }
}

for( const [ file, list ] of Object.entries( mistakes( [ join( here, 'mistakes.mjs' ) ] ) ) ) {
    fail( `${file}:\n${list.join( '\n' )}` )
}

for( const name of [ 'catalog', 'examples' ] ) {
    cpSync( join( repository, 'testdata', name ), join( work, name ), { recursive: true } )
}
const roots = [ 'catalog', ...readdirSync( join( work, 'examples' ) ).map( ( name ) => join( 'examples', name ) ) ]
const good = roots.flatMap( ( root ) => accepted( join( work, root ) ) )
good.forEach( ( file ) => writeFileSync( file, typed( readFileSync( file, 'utf8' ), file ) ) )
const found = mistakes( good )
for( const file of good ) {
    const name = relative( work, file )
    if( skipped[ name ] && found[ file ] ) {
        console.log( `interop: skipped the types of ${name}: ${skipped[ name ]}` )
    } else if( skipped[ name ] ) {
        fail( `${name} is accepted now: remove it from the skipped ones` )
    } else if( found[ file ] ) {
        fail( `${name}:\n${found[ file ].join( '\n' )}` )
    }
}
if( good.length < 40 ) { fail( `only ${good.length} examples are without an error` ) }

for( const [ body, wanted ] of [
    [ '{ tools: { a: { /*?*/ } } }', [ 'method', 'path', 'parameters', 'output', 'tests', 'meta' ] ],
    [ '{ tools: { a: { method: "/*?*/" } } }', [ 'GET', 'POST', 'PUT', 'DELETE' ] ],
    [ '{ tools: { a: { parameters: [ { position: { location: "/*?*/" } } ] } } }', [ 'insert', 'query', 'body' ] ],
    [ '{ tools: { a: { parameters: [ { position: { value: "/*?*/" } } ] } } }', [ '{{USER_PARAM}}' ] ],
    [ '{ tools: { a: { parameters: [ { z: { options: [ "/*?*/" ] } } ] } } }', [ 'optional()' ] ],
    [ '{ resources: { a: { source: "http", /*?*/ } } }', [ 'url', 'cacheTtl', 'queries' ] ]
] ) {
    const { service, file, at } = asked( body )
    const names = ( service.getCompletionsAtPosition( file, at, {} )?.entries ?? [] ).map( ( e ) => e.name )
    const missing = wanted.filter( ( name ) => !names.includes( name ) )
    if( missing.length > 0 ) { fail( `${body}: not proposed: ${missing.join( ', ' )}` ) }
}

const { service, file, at } = asked( '{ tools: { a: { meta: { /*?*/searchHint: "" } } } }' )
const info = service.getQuickInfoAtPosition( file, at + '/*?*/'.length )
if( !ts.displayPartsToString( info?.documentation ).startsWith( 'Words that somebody would search for.' ) ) {
    fail( `searchHint is not explained, but: ${JSON.stringify( info )}` )
}

if( failed > 0 ) { process.exit( 1 ) }
console.log( `interop: types: ${good.length} examples accepted, all mistakes found` )
