// Compares the prompts of fmcp-grade with those of the reference implementation, byte
// for byte. Not part of CI: the reference is no part of this repository. It needs Node
// and src/v4/task/GradeReporter.mjs of flowmcp-core as it was before 764e300.
//
//   fmcp-grade prompts --out DIR CATALOG
//   node scripts/prompts-compare.mjs GradeReporter.mjs DIR
//
// in the folder in which CATALOG is. It exits with 1 where a prompts.json differs.
import { readFile, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [ reporter, dir ] = process.argv.slice( 2 )
if( dir === undefined ) {
    console.error( 'usage: node scripts/prompts-compare.mjs GradeReporter.mjs DIR' )
    process.exit( 2 )
}
const { GradeReporter } = await import( pathToFileURL( resolve( reporter ) ) )
// The text of chapter 22, which is not part of GradeReporter.
const scoringInstructions = 'Du bist ein Schema-Bewerter. Bewerte unabhaengig basierend nur auf den unten gelieferten '
    + 'Informationen. Antworte als JSON-Array: [ { "dimension": "...", "score": <1.0-5.0>, "reasoning": "..." }, ... ]. '
    + 'Keine externen Annahmen, keine Kontext-Vermutungen.'

let same = 0, differ = 0, unread = 0
for( const slug of ( await readdir( dir ) ).sort() ) {
    const text = await readFile( join( dir, slug, 'prompts.json' ), 'utf-8' )
    const { schemaId, schemaPath, schemaHash } = JSON.parse( text )
    let schema
    try {
        schema = ( await import( pathToFileURL( resolve( schemaPath ) ) ) ).main
    } catch( error ) {
        unread++
        console.log( `${schemaPath}: Node does not load it: ${error.message.split( '\n' )[ 0 ]}` )
        continue
    }
    const { evalPrompts } = GradeReporter.buildEvalPrompts( { schema } )
    const want = {
        schemaId, 'schemaIdSlug': schemaId.replace( /\//g, '_' ), schemaPath, 'scoringProtocol': 'v1', scoringInstructions,
        'prompts': evalPrompts.map( ( { dimension, prompt } ) => ( { dimension, prompt } ) ), schemaHash
    }
    if( slug === want.schemaIdSlug && text === JSON.stringify( want, null, 4 ) + '\n' ) {
        same++
    } else {
        differ++
        console.log( `${schemaPath}: differs` )
    }
}
console.log( `${same} are the same, ${differ} differ, ${unread} were not compared` )
process.exit( differ > 0 || same === 0 ? 1 : 0 )
