package gen

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"testing"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

func TestSchemas(t *testing.T) {
	const count = 600
	paths, tools, namespaces := map[string]bool{}, map[string]bool{}, map[string]bool{}
	bytesTotal, handlers := 0, 0
	for i := range count {
		path, src := Schema(i)
		if _, again := Schema(i); !bytes.Equal(src, again) {
			t.Fatalf("schema %d is not the same twice", i)
		}
		if paths[path] {
			t.Fatalf("%s is made twice", path)
		}
		paths[path] = true
		bytesTotal += len(src)
		m, err := module.Read(string(src))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		main, err := m.Value("main")
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if m.Has("handlers") {
			handlers++
		}
		namespace := main.Get("namespace").Str()
		namespaces[namespace] = true
		for _, tool := range main.Get("tools").Members() {
			id := namespace + "/tool/" + tool.Key
			if tools[id] {
				t.Errorf("%s is made twice", id)
			}
			tools[id] = true
			if n := tool.Value.Get("tests").Len(); n != 3 {
				t.Errorf("%s has %d tests", id, n)
			}
		}
		sum := sha256.Sum256(ordjson.AppendCanonical(nil, main.Without("schemaHash")))
		if got := main.Get("schemaHash").Str(); got != hex.EncodeToString(sum[:4]) {
			t.Errorf("%s: schemaHash %s", path, got)
		}
	}
	if mean := bytesTotal / count; mean < 12000 || mean > 14000 {
		t.Errorf("a schema has %d bytes on average, want about 13,000", mean)
	}
	if handlers < count*3/10 || handlers > count*4/10 {
		t.Errorf("%d of %d have handlers, want a third", handlers, count)
	}
	if n := len(namespaces); n != count*4/5 {
		t.Errorf("%d namespaces, want %d", n, count*4/5)
	}
}

func TestListAndRegistry(t *testing.T) {
	_, src := List()
	m, err := module.Read(string(src))
	if err != nil {
		t.Fatal(err)
	}
	list, err := m.Value("list")
	if err != nil || list.Get("entries").Len() != regions {
		t.Fatalf("%d entries, %v", list.Get("entries").Len(), err)
	}
	registry, err := ordjson.Parse(string(Registry("x", 7, 2)))
	if err != nil || registry.Get("schemas").Len() != 7 || registry.Get("agents").Len() != 2 {
		t.Fatalf("%s, %v", ordjson.Text(registry), err)
	}
	file := registry.Get("schemas").Index(6).Get("file").Str()
	if !regexp.MustCompile(`^providers/[a-z0-9-]+/[a-z0-9-]+\.mjs$`).MatchString(file) {
		t.Errorf("file is %s", file)
	}
}

// Agents name tools that there are, each once, and files that are made.
func TestAgents(t *testing.T) {
	const schemas, agents = 50, 12
	tools, files := map[string]bool{}, map[string]string{}
	for i := range schemas {
		s := newSchema(i)
		for _, tool := range s.tools {
			tools[s.info.Namespace+"/tool/"+tool.name] = true
		}
	}
	for i := range agents {
		err := Agent(i, schemas, func(path string, src []byte) error {
			if files[path] != "" {
				t.Errorf("%s is made twice", path)
			}
			files[path] = string(src)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) != 4*agents {
		t.Errorf("%d files", len(files))
	}
	for i := range agents {
		manifest := "agents/" + agentName(i) + "/agent.mjs"
		m, err := module.Read(files[manifest])
		if err != nil {
			t.Fatal(err)
		}
		agent, err := m.Value("agent")
		if err != nil {
			t.Fatal(err)
		}
		if n := agent.Get("tools").Len(); n != agentTools {
			t.Errorf("%s has %d tools", manifest, n)
		}
		for _, tool := range agent.Get("tools").Members() {
			if !tools[tool.Key] {
				t.Errorf("%s: no %s", manifest, tool.Key)
			}
		}
	}
}
