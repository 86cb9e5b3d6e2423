package skills

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/yaml"
)

func parse(t testing.TB, text string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// bundle is a SKILL.md with documents at the paths.
func bundle(t testing.TB, namespace, name, front string, paths ...string) *catalog.SkillMD {
	s := &catalog.SkillMD{ID: namespace + "/skillmd/" + name, Namespace: namespace, Name: name,
		Frontmatter: parse(t, front)}
	text := "---\r\nname: " + name + "\ndescription: " + s.Frontmatter.Get("description").Str() + "\n---\né\x7f\tEnd"
	s.Documents = []catalog.Document{{URI: "resource://skills/" + name + "/document", MIMEType: "text/markdown",
		Path: "skill.md", Content: text, Hash: record.Hash([]byte(text))}}
	for i, path := range paths {
		s.Documents = append(s.Documents, catalog.Document{URI: fmt.Sprint("resource://", name, i), Ref: fmt.Sprint(i),
			MIMEType: "text/plain", Path: path, Content: path, Hash: record.Hash([]byte(path))})
	}
	return s
}

func skillOf(name, description, whenToUse string) *catalog.Skill {
	return &catalog.Skill{Text: catalog.Text{ID: "shop/skill/" + name, Namespace: "shop", Name: name,
		Description: description, Content: "Do {{input:it}}."}, WhenToUse: whenToUse}
}

// setOf are the skills of a catalog, and what is left out of them.
func setOf(t testing.TB, recs ...catalog.Record) (*Set, *[]string) {
	t.Helper()
	var b bytes.Buffer
	for _, r := range append([]catalog.Record{&catalog.Catalog{Name: "test"}}, recs...) {
		b.Write(append(catalog.Encode(r).AppendJSON(nil), '\n'))
	}
	x, err := catalog.Read(&b, catalog.ReadOptions{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	left := &[]string{}
	return New(x, func(id, why string) { *left = append(*left, id+": "+why) }), left
}

// TestManifest: what hosts check of every skill: each file once, with the digest and
// the size of the bytes that are read, and the frontmatter of the SKILL.md itself.
func TestManifest(t *testing.T) {
	set, left := setOf(t,
		bundle(t, "docs", "guide", `{"name":"guide","description":"Guides","metadata":{"a":["b",1]}}`,
			"references/a b.md", "references/deep/c.md", "references/a b.md"),
		skillOf("sell", `Sells: "all" – #1`, "When asked\nfor"))
	if len(*left) > 0 {
		t.Fatal(*left)
	}
	entries := set.Entries()
	for i, want := range []string{
		`{"uri":"skill://docs/skillmd/guide/SKILL.md","frontmatter":{"name":"guide","description":"Guides",` +
			`"metadata":{"a":["b",1]}},"files":["skill://docs/skillmd/guide/SKILL.md",` +
			`"skill://docs/skillmd/guide/references/a%20b.md","skill://docs/skillmd/guide/references/deep/c.md"]}`,
		`{"uri":"skill://shop/skill/sell/SKILL.md","frontmatter":{"name":"sell",` +
			`"description":"Sells: \"all\" – #1 When asked\nfor"},"files":["skill://shop/skill/sell/SKILL.md"]}`,
	} {
		entry := parse(t, string(entries[i]))
		var files []string
		for _, f := range entry.Get("resources").Elems() {
			uri := f.Get("uri").Str()
			files = append(files, uri)
			text, _, ok := set.Read(uri)
			if !ok || record.Hash([]byte(text)) != f.Get("digest").Str() ||
				fmt.Sprint(len(text)) != f.Get("size").NumberText() {
				t.Errorf("%s is %q, which %s is not of", uri, text, ordjson.Text(f))
			}
		}
		got := ordjson.Text(ordjson.NewObject(field("uri", entry.Get("uri").Str()),
			ordjson.Field("frontmatter", entry.Get("frontmatter")), ordjson.Field("files", ordjson.Strings(files))))
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if one := set.Entry(entry.Get("uri").Str()); !bytes.Equal(one, entries[i]) {
			t.Errorf("alone it is %s", one)
		}
	}
	text, mime, _ := set.Read("skill://shop/skill/sell/SKILL.md")
	front, body, err := yaml.Frontmatter(text)
	if err != nil || mime != "text/markdown" || text[body:] != "\nDo {{input:it}}.\n" ||
		!ordjson.Equal(front, parse(t, string(entries[1])).Get("frontmatter")) {
		t.Errorf("read as %s, %s, %v", text, mime, err)
	}
}

// TestDirectories: folders have their direct children, and what is no folder has
// none.
func TestDirectories(t *testing.T) {
	set, _ := setOf(t, bundle(t, "docs", "guide", `{"name":"guide","description":"Guides"}`, "references/a.md",
		"references/b.md"), skillOf("sell", "Sells", ""), skillOf("buy", "Buys", ""))
	for uri, want := range map[string]string{
		"skill://docs":         "skill://docs/skillmd inode/directory",
		"skill://docs/skillmd": "skill://docs/skillmd/guide inode/directory",
		"skill://docs/skillmd/guide": "skill://docs/skillmd/guide/SKILL.md text/markdown, " +
			"skill://docs/skillmd/guide/references inode/directory",
		"skill://docs/skillmd/guide/references": "skill://docs/skillmd/guide/references/a.md text/plain, " +
			"skill://docs/skillmd/guide/references/b.md text/plain",
		"skill://shop/skill": "skill://shop/skill/sell inode/directory, " +
			"skill://shop/skill/buy inode/directory",
		"skill://docs/skillmd/guide/":         "",
		"skill://docs/skillmd/guide/SKILL.md": "",
		"skill://docs/skill":                  "",
		"skill:/":                             "",
		"":                                    "",
	} {
		var got []string
		for _, child := range set.Directory(uri) {
			v := parse(t, string(child))
			got = append(got, v.Get("uri").Str()+" "+v.Get("mimeType").Str())
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s has %s, want %s", uri, got, want)
		}
	}
}

// TestLeftOut: what hosts would refuse is not published, and that is said once.
func TestLeftOut(t *testing.T) {
	many := make([]string, 512)
	for i := range many {
		many[i] = fmt.Sprint("references/", i, ".md")
	}
	long := strings.Repeat("é", 1024)
	other := bundle(t, "docs", "guide", `{"name":"other","description":"Guides"}`)
	set, left := setOf(t, skillOf("two--hyphens", "D", ""), skillOf("last-", "D", ""), other,
		skillOf(strings.Repeat("a", 65), "D", ""), skillOf("silent", "", ""), skillOf("long", long+"é", ""),
		skillOf("fits", long, "Now"), bundle(t, "docs", "many", `{"name":"many","description":"D"}`, many...))
	if n := len(set.Entries()); n != 1 || len(set.Entries()) != 1 {
		t.Errorf("%d skills are published, want fits", n)
	}
	if about := parse(t, string(set.Entries()[0])).Get("frontmatter").Get("description").Str(); about != long {
		t.Errorf("the description is %s", about)
	}
	var ids []string
	for _, l := range *left {
		id, _, _ := strings.Cut(l, ":")
		ids = append(ids, strings.TrimPrefix(strings.TrimPrefix(id, "shop/skill/"), "docs/skillmd/"))
	}
	slices.Sort(ids)
	want := []string{strings.Repeat("a", 65), "guide", "last-", "long", "many", "silent", "two--hyphens"}
	if !slices.Equal(ids, want) {
		t.Errorf("left out are %s", strings.Join(*left, "\n"))
	}
	if _, _, ok := set.Read("skill://shop/skill/long/SKILL.md"); ok {
		t.Error("what is left out can be read")
	}
	if !(*Set)(nil).Empty() || set.Empty() {
		t.Error("no set is not empty, or one with skills is")
	}
}
