package gen

import (
	"fmt"
	"strings"
)

func (s *schema) line(depth int, format string, args ...any) {
	for range depth {
		s.b.WriteString("    ")
	}
	fmt.Fprintf(&s.b, format, args...)
	s.b.WriteByte('\n')
}

func quoted(list []string) string {
	if len(list) == 0 {
		return "[]"
	}
	return "[ '" + strings.Join(list, "', '") + "' ]"
}

func (s *schema) write() {
	host := "api." + s.info.Namespace + ".example"
	s.line(0, "// %s: made by gencatalog, like nothing on the net.", s.info.Name)
	s.line(0, "export const main = {")
	s.line(1, "namespace: '%s',", s.info.Namespace)
	s.line(1, "name: '%s',", s.info.Name)
	s.line(1, "description: '%s',", s.sentence(24))
	s.line(1, "version: '4.2.0',")
	s.line(1, "schemaVersion: '1.0.0',")
	s.line(1, "schemaHash: '%s',", noHash)
	s.line(1, "docs: [ 'https://%s/docs', \"https://%s/docs/reference\" ],", host, host)
	s.line(1, "tags: %s,", quoted([]string{subjects[s.rand.IntN(len(subjects))], "generated"}))
	s.line(1, "root: 'https://%s/v%d',", host, 1+s.rand.IntN(4))
	s.line(1, "requiredServerParams: %s,", quoted(s.info.ServerParams))
	s.line(1, "headers: { 'Accept': 'application/json' },")
	if s.info.SharedList {
		s.line(1, "sharedLists: [ { ref: '%s', version: '%s' } ],", listName, listVersion)
	}
	s.line(1, "tools: {")
	for i, t := range s.tools {
		s.tool(t, i == len(s.tools)-1)
	}
	s.line(1, "}")
	s.line(0, "}")
	if s.info.Handlers {
		s.handlers()
	}
}

func (s *schema) tool(t tool, last bool) {
	path := "/" + strings.ReplaceAll(t.entity, " ", "-")
	if t.params[0].location == "insert" {
		path += "/{{id}}"
	}
	s.line(2, "%s: {", t.name)
	s.line(3, "method: 'GET',")
	s.line(3, "path: '%s',", path)
	s.line(3, "description: '%s %s. %s',", title(t.verb), t.entity, s.sentence(10))
	s.line(3, "parameters: [")
	for i, p := range t.params {
		s.line(4, "{ position: { key: '%s', value: '%s', location: '%s' }, z: { primitive: '%s', options: %s } }%s",
			p.key, p.value, p.location, p.primitive, quoted(p.options), comma(i, len(t.params)))
	}
	s.line(3, "],")
	s.tests(t)
	s.output()
	s.line(3, "meta: {")
	s.line(4, "isReadOnly: true,")
	s.line(4, "isConcurrencySafe: true,")
	s.line(4, "isDestructive: false,")
	s.line(4, "searchHint: '%s %s %s',", t.verb, t.entity, subjects[s.rand.IntN(len(subjects))])
	s.line(4, "aliases: [ '%sOf%s' ],", t.verb, strings.ReplaceAll(title(t.entity), " ", ""))
	s.line(4, "alwaysLoad: false")
	s.line(3, "}")
	if last {
		s.line(2, "}")
	} else {
		s.line(2, "},")
	}
}

func comma(i, n int) string {
	if i < n-1 {
		return ","
	}
	return ""
}

func (s *schema) tests(t tool) {
	s.line(3, "tests: [")
	for n := range 3 {
		values := ""
		for _, p := range t.params {
			if p.samples != nil && (!p.optional || n > 0) {
				values += fmt.Sprintf(", %s: %s", p.key, p.samples[n])
			}
		}
		s.line(4, "{ _description: '%s%s'%s }%s", title(t.entity), testKinds[n], values, comma(n, 3))
	}
	s.line(3, "],")
}

var testKinds = []string{" with required parameters only", ", most recent first", ", older and narrower"}

// output writes an output block: an object, or an array of objects, three
// levels deep.
func (s *schema) output() {
	s.line(3, "output: {")
	s.line(4, "mimeType: 'application/json',")
	s.line(4, "schema: {")
	s.line(5, "type: 'object',")
	s.line(5, "description: '%s',", s.sentence(5))
	s.line(5, "properties: {")
	s.line(6, "total: { type: 'number', description: 'Number of items that match' },")
	s.line(6, "items: {")
	s.line(7, "type: 'array',")
	s.line(7, "description: '%s',", s.sentence(6))
	s.line(7, "items: {")
	s.line(8, "type: 'object',")
	s.line(8, "properties: {")
	perm := s.rand.Perm(len(fields))[:4+s.rand.IntN(4)]
	for i, n := range perm {
		f := fields[n]
		nullable := ""
		if s.rand.IntN(5) == 0 {
			nullable = ", nullable: true"
		}
		s.line(9, "%s: { type: '%s', description: '%s'%s }%s", f.name, f.kind,
			strings.ReplaceAll(f.description, "'", `\'`), nullable, comma(i, len(perm)))
	}
	s.line(8, "}")
	s.line(7, "}")
	s.line(6, "}")
	s.line(5, "}")
	s.line(4, "}")
	s.line(3, "},")
}

// handlers writes a handlers export for the first two tools.
func (s *schema) handlers() {
	s.line(0, "")
	s.line(0, "")
	s.line(0, "// The provider wraps its items; handlers unwrap them.")
	s.line(0, "export const handlers = ( { sharedLists, libraries } ) => {")
	s.line(1, "const clean = ( text ) => String( text ?? '' ).replace( /[\"'`]/g, '' ).replace( /\\s+/g, ' ' ).trim()")
	s.line(1, "const percent = ( part, whole ) => whole ? Math.round( part / whole * 1000 ) / 10 : null")
	s.line(0, "")
	s.line(1, "return {")
	for i, t := range s.tools[:2] {
		s.line(2, "%s: {", t.name)
		if i == 0 {
			s.preRequest()
		}
		s.postRequest()
		s.line(2, "}%s", comma(i, 2))
	}
	s.line(1, "}")
	s.line(0, "}")
}

func (s *schema) preRequest() {
	s.line(3, "preRequest: async ( { struct, payload } ) => {")
	s.line(4, "const { limit, from } = payload")
	s.line(4, "if( from && /^\\d{4}-\\d{2}-\\d{2}$/.test( from ) === false ) {")
	s.line(5, "struct.messages.push( `from: \"${ clean( from ) }\" is not a date` )")
	s.line(4, "}")
	s.line(4, "if( limit > %d ) { payload.limit = %d }", 100+s.rand.IntN(100), 100)
	s.line(0, "")
	s.line(4, "return { struct, payload }")
	s.line(3, "},")
}

func (s *schema) postRequest() {
	s.line(3, "postRequest: async ( { response } ) => {")
	s.line(4, "const items = ( response?.result?.items ?? [] )")
	s.line(5, ".filter( ( item ) => item.active !== false )")
	s.line(5, ".map( ( item, index ) => {")
	s.line(6, "const { id, name, value, unit } = item")
	s.line(6, "const share = percent( value, response.total )")
	s.line(0, "")
	s.line(6, "return { id, 'name': clean( name ), value, unit, share, 'label': `${ index + 1 }. ${ clean( name ) } "+
		"(${ unit || 'n/a' })` }")
	s.line(5, "} )")
	s.line(0, "")
	s.line(4, "return { 'response': { 'total': items.length, items } }")
	s.line(3, "}")
}
