// Compares requests of imported schemas with those that swagger-client builds for the
// same values: node openapi.mjs DOCUMENT CATALOG.ndjson ENVELOPES.ndjson [SERVER]
// ENVELOPES are of fmcp-exec --dry-run, one for each test, tagged TOOL-ID#INDEX.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'

const packages = createRequire( resolve( 'testdata/interop/package.json' ) )
const SwaggerClient = packages( 'swagger-client' )
const yaml = packages( 'js-yaml' )
const [ file, catalog, envelopes, server ] = process.argv.slice( 2 )
const documents = new Map()
const load = ( name ) => {
    if( !documents.has( name ) ) {
        documents.set( name, yaml.load( readFileSync( name, 'utf8' ), { schema: yaml.JSON_SCHEMA } ) )
    }
    return documents.get( name )
}
const spec = load( resolve( file ) )

// deref follows references to a depth: the resolver of the client takes minutes for
// large documents, and its stack is too small for some.
const deref = ( node, from, depth ) => {
    if( node === null || typeof node !== 'object' || depth === 0 ) { return node }
    if( typeof node.$ref === 'string' ) {
        const [ name, pointer ] = node.$ref.split( '#' )
        const target = name === '' ? from : resolve( dirname( from ), name )
        const keys = ( pointer ?? '' ).split( '/' ).slice( 1 )
        const value = keys.reduce( ( v, k ) => v?.[ decodeURIComponent( k ).replace( /~1/g, '/' ).replace( /~0/g, '~' ) ],
            load( target ) )
        return deref( value, target, depth - 1 )
    }
    if( Array.isArray( node ) ) { return node.map( ( n ) => deref( n, from, depth - 1 ) ) }
    return Object.fromEntries( Object.entries( node ).map( ( [ k, v ] ) => [ k, deref( v, from, depth - 1 ) ] ) )
}
for( const [ path, item ] of Object.entries( spec.paths ) ) { spec.paths[ path ] = deref( item, resolve( file ), 9 ) }
spec.components = { securitySchemes: deref( spec.components?.securitySchemes, resolve( file ), 4 ) }
const lines = ( name ) => readFileSync( name, 'utf8' ).split( '\n' ).filter( ( l ) => l !== '' ).map( ( l ) => JSON.parse( l ) )
const sent = new Map( lines( envelopes ).filter( ( e ) => e.tag ).map( ( e ) => [ e.tag, e ] ) )
const shape = ( path ) => path.replace( /\{\{?[^{}]*\}?\}/g, '{}' )
const names = ( path ) => [ ...path.matchAll( /\{\{?([^{}]*)\}?\}/g ) ].map( ( m ) => m[ 1 ] )
const operations = new Map()
for( const [ path, item ] of Object.entries( spec.paths ) ) {
    for( const method of [ 'get', 'post', 'put', 'delete' ] ) {
        if( item[ method ] ) { operations.set( method + shape( path ), path ) }
    }
}

// The keys: KEY stands for each, whatever it is called.
const authorized = {}
for( const [ name, s ] of Object.entries( spec.components?.securitySchemes ?? {} ) ) {
    authorized[ name ] = s.type === 'http' && s.scheme.toLowerCase() === 'basic' ? { username: 'u', password: 'p' }
        : s.type === 'apiKey' || s.type === 'http' ? { value: 'KEY' } : { token: { access_token: 'KEY' } }
}

const pairsOf = ( text ) => [ ...new URLSearchParams( text ) ].map( ( p ) => p.join( '=' ) ).sort()
const sorted = ( v ) => Array.isArray( v ) ? v.map( sorted ) : v !== null && typeof v === 'object'
    ? Object.fromEntries( Object.keys( v ).sort().map( ( k ) => [ k, sorted( v[ k ] ) ] ) ) : v
const bodyOf = ( body, type ) => {
    if( body === undefined || body === null || body === '' ) { return '' }
    if( type.includes( 'form' ) ) { return JSON.stringify( pairsOf( body ) ) }
    const text = JSON.stringify( sorted( typeof body === 'string' ? JSON.parse( body ) : body ) )
    return text === '{}' ? '' : text // decision "Empty bodies"
}
const normal = ( r ) => {
    const url = new URL( r.url.replace( /\[REDACTED:[A-Z0-9_]*\]/g, 'KEY' ) )
    const headers = Object.fromEntries( Object.entries( r.headers ?? {} ).map( ( [ k, v ] ) =>
        [ k.toLowerCase(), String( v ).replace( /\[REDACTED:[A-Z0-9_]*\]/g, 'KEY' ).replace( /^Basic .*/, 'Basic KEY' ) ] ) )
    const type = headers[ 'content-type' ] ?? ''
    for( const name of [ 'accept', 'user-agent', 'content-type' ] ) { delete headers[ name ] }
    const body = bodyOf( r.body, type )
    return { method: r.method, path: url.origin + decodeURIComponent( url.pathname ), query: pairsOf( url.search ),
        headers: sorted( headers ), body, type: body === '' ? '' : type.split( ';' )[ 0 ] }
}

const counts = { tools: 0, requests: 0, equal: 0 }
const different = new Map()
for( const { data } of lines( catalog ).filter( ( r ) => r.type === 'tool' ) ) {
    const id = data.namespace + '/tool/' + data.name
    const method = data.method.toLowerCase()
    const pathName = operations.get( method + shape( data.path ) )
    counts.tools++
    for( const [ i, test ] of ( data.tests ?? [] ).entries() ) {
        const parameters = {}
        let requestBody
        const inserts = names( data.path )
        for( const p of data.parameters ) {
            const fallback = p.options.find( ( o ) => o.startsWith( 'default(' ) )?.slice( 8, -1 )
            const value = p.source === 'fixed' ? p.value : p.source === 'server' ? undefined : test[ p.key ] ?? fallback
            if( value === undefined ) { continue }
            if( p.location === 'insert' ) { parameters[ names( pathName )[ inserts.indexOf( p.key ) ] ] = value }
            if( p.location === 'query' ) { parameters[ p.key ] = value }
            if( p.location === 'body' ) { requestBody = { ...requestBody, [ p.key ]: value } }
        }
        for( const p of spec.paths[ pathName ][ method ].parameters ?? [] ) {
            const header = p.in === 'header' ? data.headers?.[ p.name ] : undefined
            if( header !== undefined ) { parameters[ p.name ] = header.replace( /\{\{SERVER_PARAM:\w+\}\}/, 'KEY' ) }
        }
        const own = sent.get( id + '#' + i )
        counts.requests++
        let why = ''
        try {
            const ways = spec.paths[ pathName ][ method ].security ?? spec.security ?? []
            const chosen = Object.keys( ways[ 0 ] ?? {} ) // the client would send the keys of all ways
            const securities = { authorized: Object.fromEntries( chosen.map( ( n ) => [ n, authorized[ n ] ] ) ) }
            const other = SwaggerClient.buildRequest( { operationId: method + '-' + pathName, parameters, requestBody, server,
                spec: { ...spec, paths: { [ pathName ]: spec.paths[ pathName ] } }, securities } )
            const a = normal( own.request )
            const b = normal( other )
            for( const part of Object.keys( a ) ) {
                if( JSON.stringify( a[ part ] ) !== JSON.stringify( b[ part ] ) ) {
                    why ||= part + ': ' + JSON.stringify( a[ part ] ) + ' and ' + JSON.stringify( b[ part ] )
                }
            }
        } catch( e ) {
            why = 'error: ' + e.message + ( own?.messages?.[ 0 ] ?? '' )
        }
        if( why === '' ) { counts.equal++ } else { different.set( id + '#' + i, why ) }
    }
}
console.log( JSON.stringify( { document: file, ...counts, different: different.size } ) )
for( const [ tag, why ] of different ) { console.log( tag + ' ' + why ) }
process.exitCode = different.size > 0 ? 1 : 0
