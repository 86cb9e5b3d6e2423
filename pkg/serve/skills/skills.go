// Package skills has the skills of a catalog as the extension
// io.modelcontextprotocol/skills of MCP (SEP-2640) publishes them: a folder for
// each, with a SKILL.md and the files that it refers to. FlowMCP's skills get a
// SKILL.md of their own (decision "Skills as files").
package skills

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/lazy"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

const (
	// Extension is its name in the capabilities.
	Extension = "io.modelcontextprotocol/skills"
	// Scheme is how the addresses of all files begin.
	Scheme = "skill://"

	skillMD   = "SKILL.md"
	directory = "inode/directory" // the type of a folder
)

// The limits of the extension, for each skill.
const (
	maxFiles       = 512
	maxBytes       = 16 << 20
	maxDescription = 1024 // characters
)

// name is what the last part of the path of a skill may be, with at most 64
// characters.
var name = lazy.Regexp(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Set are the skills of a catalog. They are read when a client asks for the first
// time, and their texts whenever one is asked for.
type Set struct {
	index *catalog.Index
	ids   []string
	read  func() []*skill
}

// New returns the skills of a catalog, bundles first: they are as their authors wrote
// them. One that the extension does not allow is left out, and wrong is told why.
func New(x *catalog.Index, wrong func(id, why string)) *Set {
	s := &Set{index: x, ids: slices.Concat(x.Of(record.TypeSkillMD), x.Of(record.TypeSkill))}
	s.read = sync.OnceValue(func() (list []*skill) {
		for _, id := range s.ids {
			sk, err := s.load(id)
			if err == nil && slices.ContainsFunc(list, func(o *skill) bool { return o.folder == sk.folder }) {
				err = fmt.Errorf("%s is the address of another skill", sk.folder)
			}
			if err != nil {
				wrong(id, err.Error())
				continue
			}
			for i := range sk.files {
				sk.files[i].text = ""
			}
			list = append(list, sk)
		}
		return list
	})
	return s
}

// Empty says that there are no skills, as in no Set.
func (s *Set) Empty() bool { return s == nil || len(s.ids) == 0 }

// skill is a folder.
type skill struct {
	id     string // of the record
	folder string // its address
	front  ordjson.Value
	files  []file // the SKILL.md first
}

// file is a file of a skill.
type file struct {
	uri, mime, text, digest string
	size                    int
}

func (sk *skill) add(path, mime, text string) {
	uri := sk.folder + "/" + escaped(path)
	if !slices.ContainsFunc(sk.files, func(f file) bool { return f.uri == uri }) {
		sk.files = append(sk.files, file{uri, mime, text, record.Hash([]byte(text)), len(text)})
	}
}

// load reads a skill with its texts.
func (s *Set) load(id string) (*skill, error) {
	rec, err := s.index.Record(id)
	if err != nil {
		return nil, err
	}
	sk := &skill{id: id}
	switch r := rec.(type) {
	case *catalog.SkillMD:
		sk.front, sk.folder = r.Frontmatter, folder(r.Namespace, record.TypeSkillMD, r.Name)
		for _, d := range r.Documents {
			path := d.Path
			if d.Ref == "" {
				path = skillMD
			}
			sk.add(path, d.MIMEType, d.Content)
		}
	case *catalog.Skill:
		sk.front, sk.folder = frontmatter(r), folder(r.Namespace, record.TypeSkill, r.Name)
		sk.add(skillMD, model.MIMEMarkdown, document(s.index, r, sk.front))
	}
	return sk, sk.check()
}

// folder is the address of a skill: its Spec-ID, so that no skill is inside another.
func folder(namespace string, typ record.Type, name string) string {
	return Scheme + escaped(namespace+"/"+string(typ)+"/"+name)
}

// ID is the Spec-ID of the skill that an address is of, "" where it is of none.
func ID(uri string) string {
	path, ok := strings.CutPrefix(uri, Scheme)
	parts := strings.SplitN(path, "/", 4)
	if !ok || len(parts) < 3 {
		return ""
	}
	return strings.Join(parts[:3], "/")
}

// check says what the extension does not allow.
func (sk *skill) check() error {
	called, about := sk.front.Get("name").Str(), sk.front.Get("description").Str()
	size := 0
	for _, f := range sk.files {
		size += f.size
	}
	switch n := utf8.RuneCountInString(about); {
	case len(called) > 64 || !name().MatchString(called) || !strings.HasSuffix(sk.folder, "/"+called):
		return fmt.Errorf("its name is %q; expected at most 64 of a-z, 0-9 and single hyphens between them", called)
	case n == 0 || n > maxDescription:
		return fmt.Errorf("its description has %d characters; expected 1 to %d", n, maxDescription)
	case len(sk.files) > maxFiles || size > maxBytes:
		return fmt.Errorf("it has %d files of %d bytes; at most %d of %d are allowed", len(sk.files), size, maxFiles,
			maxBytes)
	}
	return nil
}

// Entries are the skills as skills/list has them.
func (s *Set) Entries() [][]byte {
	var list [][]byte
	for _, sk := range s.read() {
		list = append(list, sk.entry())
	}
	return list
}

// Entry is the skill whose SKILL.md has an address, nil where there is none.
func (s *Set) Entry(uri string) []byte {
	for _, sk := range s.read() {
		if sk.files[0].uri == uri {
			return sk.entry()
		}
	}
	return nil
}

func (sk *skill) entry() []byte {
	var files []ordjson.Value
	for _, f := range sk.files {
		files = append(files, ordjson.NewObject(field("uri", f.uri), field("digest", f.digest),
			ordjson.Field("size", ordjson.NewInt(f.size))))
	}
	return ordjson.Append(nil, ordjson.NewObject(field("uri", sk.files[0].uri), ordjson.Field("frontmatter", sk.front),
		ordjson.Field("resources", ordjson.NewArray(files...))))
}

func field(key, value string) ordjson.Member { return ordjson.Field(key, ordjson.NewString(value)) }

// Read is the text of a file and its type.
func (s *Set) Read(uri string) (text, mime string, ok bool) {
	for _, sk := range s.read() {
		if !slices.ContainsFunc(sk.files, func(f file) bool { return f.uri == uri }) {
			continue
		}
		if now, err := s.load(sk.id); err == nil {
			for _, f := range now.files {
				if f.uri == uri {
					return f.text, f.mime, true
				}
			}
		}
	}
	return "", "", false
}

// Directory are the direct children of a folder, as resources; none where there is
// no such folder.
func (s *Set) Directory(uri string) [][]byte {
	if !strings.HasPrefix(uri, Scheme) {
		return nil
	}
	var list [][]byte
	var folders []string
	for _, sk := range s.read() {
		for i, f := range sk.files {
			rest, below := strings.CutPrefix(f.uri, uri+"/")
			child, _, deeper := strings.Cut(rest, "/")
			switch {
			case !below || slices.Contains(folders, child):
			case deeper:
				folders = append(folders, child)
				list = append(list, resource(uri+"/"+child, child, directory))
			case i == 0:
				list = append(list, resource(f.uri, sk.front.Get("name").Str(), f.mime,
					ordjson.Field("description", sk.front.Get("description")),
					ordjson.Field("size", ordjson.NewInt(f.size))))
			default:
				list = append(list, resource(f.uri, child, f.mime, ordjson.Field("size", ordjson.NewInt(f.size))))
			}
		}
	}
	return list
}

func resource(uri, name, mime string, more ...ordjson.Member) []byte {
	return ordjson.Append(nil, ordjson.NewObject(append([]ordjson.Member{field("uri", uri), field("name", name),
		field("mimeType", mime)}, more...)...))
}
