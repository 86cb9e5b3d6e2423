package openapi

import (
	"strings"

	high "github.com/pb33f/libopenapi/datamodel/high/v3"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// What requests need that schemas cannot say: keys of a query that stand there once for
// each value, and bodies that are forms.
const (
	handlersStart = "\nexport const handlers = () => {\n"

	repeatHandler = `    // A list stands in the query once for each of its values.
    const repeat = ( keys ) => async ( { struct, payload } ) => {
        const url = new URL( struct.url )
        keys.filter( ( key ) => Array.isArray( payload[ key ] ) ).forEach( ( key ) => {
            url.searchParams.delete( key )
            payload[ key ].forEach( ( value ) => url.searchParams.append( key, value ) )
        } )
        struct.url = url.href

        return { struct, payload }
    }
`

	formHandler = `    // The body is a form: a key for each value; members of those in deep are written key[member].
    const form = ( deep ) => async ( { struct, payload } ) => {
        const pairs = ( key, value, isDeep ) => {
            if( value === null || typeof value !== 'object' ) { return [ [ key, String( value ) ] ] }
            if( isDeep ) {
                return Object.keys( value ).flatMap( ( k ) => pairs( key + '[' + k + ']', value[ k ], true ) )
            }
            if( Array.isArray( value ) ) { return value.flatMap( ( one ) => pairs( key, one, false ) ) }

            return [ [ key, JSON.stringify( value ) ] ]
        }
        const keys = Object.keys( struct.body )
        const all = keys.flatMap( ( key ) => pairs( key, struct.body[ key ], deep.includes( key ) ) )
        struct.body = new URLSearchParams( all ).toString()

        return { struct, payload }
    }
`
)

// handlers are those of some tools, "" where they need none.
func handlers(tools []*tool) string {
	var entries []string
	lists, forms := false, false
	for _, t := range tools {
		call := ""
		repeat := "repeat( " + edit.Literal(ordjson.Strings(t.lists)) + " )"
		switch form := "form( " + edit.Literal(ordjson.Strings(t.deep)) + " )"; {
		case t.form && len(t.lists) > 0:
			call = "async ( sent ) => " + form + "( await " + repeat + "( sent ) )"
		case t.form:
			call = form
		case len(t.lists) > 0:
			call = repeat
		default:
			continue
		}
		lists, forms = lists || len(t.lists) > 0, forms || t.form
		entries = append(entries, "        "+t.Name+": { preRequest: "+call+" }")
	}
	if len(entries) == 0 {
		return ""
	}
	var parts []string
	if lists {
		parts = append(parts, repeatHandler)
	}
	if forms {
		parts = append(parts, formHandler)
	}
	return handlersStart + strings.Join(parts, "\n") + "\n    return {\n" + strings.Join(entries, ",\n") +
		"\n    }\n}\n"
}

// deepKeys are the members of a form that are written key[member].
func deepKeys(content *high.MediaType) []string {
	var keys []string
	if content.Encoding != nil {
		for key, e := range content.Encoding.FromOldest() {
			if e != nil && e.Style == "deepObject" {
				keys = append(keys, key)
			}
		}
	}
	return keys
}
