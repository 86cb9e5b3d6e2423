// Package gen makes catalogs of any size for benchmarks: schemas of the size
// and shape of the public catalogs (about 13 KB, four to five tools, a third
// with handlers), valid by every rule of chapter 09, the same for the same
// index on every machine.
package gen

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// noHash holds the place of schemaHash until it is known.
const noHash = "00000000"

// Info is what a registry says of a schema (chapter 15).
type Info struct {
	Namespace, Name string
	ServerParams    []string
	Handlers        bool
	SharedList      bool
}

// Schema returns the schema of index i, from 0, and its path in the catalog.
func Schema(i int) (path string, src []byte) {
	path, src, _ = Described(i)
	return path, src
}

// Described is Schema with what the registry says of it.
func Described(i int) (path string, src []byte, info Info) {
	s := newSchema(i)
	s.write()
	src = seal(s.b.Bytes())
	return "providers/" + s.info.Namespace + "/" + s.file + ".mjs", src, s.info
}

// seal sets schemaHash: 8 hex digits of the sha256 of the canonical JSON of
// main without it (chapter 01).
func seal(src []byte) []byte {
	m, err := module.Read(string(src))
	if err != nil {
		panic("generated schema: " + err.Error())
	}
	main, err := m.Value("main")
	if err != nil {
		panic("generated schema: " + err.Error())
	}
	sum := sha256.Sum256(ordjson.AppendCanonical(nil, main.Without("schemaHash")))
	return bytes.Replace(src, []byte(noHash), []byte(hex.EncodeToString(sum[:4])), 1)
}

// schema is a schema that is being written.
type schema struct {
	b     bytes.Buffer
	rand  *rand.Rand
	info  Info
	file  string
	key   string // the server parameter, "" for none
	tools []tool
}

// tool is one tool of a schema.
type tool struct {
	name, verb, entity string
	params             []param
}

// param is one parameter: its place, its z-block and values that tests use.
type param struct {
	key, location, value string
	primitive            string
	options              []string
	samples              []string // as they are in the source; none for fixed and server values
	optional             bool
}

func newSchema(i int) *schema {
	s := &schema{rand: rand.New(rand.NewPCG(13, uint64(i)))}
	// Every fifth namespace has two schemas.
	n := i/5*4 + min(i%5, 3)
	s.info.Namespace = fmt.Sprintf("%s-%s-%d", places[n%len(places)], subjects[n/len(places)%len(subjects)], n)
	s.file = fmt.Sprintf("%s-%d", subjects[i%len(subjects)], i)
	s.info.Name = fmt.Sprintf("%s%s%d", title(places[n%len(places)]), title(subjects[i%len(subjects)]), i)
	s.info.Handlers = i%3 == 1
	s.info.SharedList = i%2 == 0
	if i%4 == 3 {
		// One of the namespace: a key that several domains ask for goes to none
		// (docs/keys.md).
		s.key = strings.ToUpper(strings.ReplaceAll(s.info.Namespace, "-", "_")) + "_API_KEY"
		s.info.ServerParams = []string{s.key}
	}
	// Neighbours in one namespace take different halves of the entities.
	first := i % 2 * (len(entities) / 2)
	for t := range 3 + s.rand.IntN(3) {
		s.tools = append(s.tools, s.newTool(t, entities[first+t]))
	}
	return s
}

func (s *schema) newTool(n int, entity string) tool {
	t := tool{verb: verbs[(n+s.rand.IntN(2))%len(verbs)], entity: entity}
	t.name = t.verb + strings.ReplaceAll(title(entity), " ", "")
	if t.verb == "get" {
		t.params = append(t.params, param{key: "id", location: "insert", value: "{{USER_PARAM}}", primitive: "string()",
			options: []string{"min(1)", "max(64)"}, samples: []string{"'a-100'", "'b-2047'", "'c-88123'"}})
	}
	if s.info.SharedList && n == 0 {
		t.params = append(t.params, param{key: "region", location: "query", value: "{{USER_PARAM}}",
			primitive: "enum({{" + listName + ":code}})",
			samples:   []string{"'" + regionCode(0) + "'", "'" + regionCode(5) + "'", "'" + regionCode(17) + "'"}})
	}
	for _, i := range s.rand.Perm(len(queryParams))[:2+s.rand.IntN(4)] {
		t.params = append(t.params, queryParams[i])
	}
	if s.rand.IntN(3) == 0 {
		t.params = append(t.params, param{key: "format", location: "query", value: "json", primitive: "string()"})
	}
	if s.key != "" {
		t.params = append(t.params, param{key: "apikey", location: "query", value: "{{SERVER_PARAM:" + s.key + "}}",
			primitive: "string()"})
	}
	return t
}

func (s *schema) sentence(words int) string {
	var list []string
	for range words {
		list = append(list, prose[s.rand.IntN(len(prose))])
	}
	text := strings.Join(list, " ")
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

func title(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}
