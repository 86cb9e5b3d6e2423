package resolve

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Upload is a bundle as it may be uploaded (skill-md-frontmatter, "Projection mode
// contract").
type Upload struct {
	ID, From, To string
	Files        int
	Moved        []string        // fields that are in metadata now
	Refused      []words.Problem // why it would be refused all the same
}

// uploadRules are those whose findings refuse an upload; SKM008 and those after it are
// about x-personal-mcp.
const uploadRules = "SKM008"

// NewUpload copies the folder of a SKILL.md into a folder, where its frontmatter has
// standard fields alone. The folder appears whole or not at all.
func NewUpload(l *record.Load, into string, replace bool) (*Upload, error) {
	from := filepath.Dir(l.Src.File())
	u := &Upload{ID: l.ID, From: from, To: filepath.Join(into, walk.Folder(l.Src))}
	for _, f := range rules.Check(l, &rules.Context{}) {
		if f.Severity == record.SeverityError && f.Rule.Code < uploadRules {
			u.Refused = append(u.Refused, f.Problem())
		}
	}
	front := l.Data.Get("frontmatter")
	if !front.Is(ordjson.Object) || front.Get("metadata").Exists() && !front.Get("metadata").Is(ordjson.Object) &&
		!front.Get("metadata").Is(ordjson.Null) {
		return nil, fmt.Errorf("%s: %s: %s", l.Src.File(), u.Refused[0].Code, u.Refused[0].Text())
	}
	if walk.Inside(from, u.To) {
		return nil, fmt.Errorf("%s is inside of %s, which is copied: give another folder as --out", u.To, from)
	}
	out, err := atomicfile.CreateFolder(u.To, replace)
	if err != nil {
		return nil, err
	}
	defer out.Abort()
	err = filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		u.Files++
		return u.add(l, out, name, filepath.ToSlash(rel), d)
	})
	if err != nil {
		return nil, err
	}
	return u, out.Commit()
}

// add copies a file.
func (u *Upload) add(l *record.Load, out *atomicfile.Folder, name, rel string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file: a bundle holds what is uploaded itself, no links", name)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if rel == filepath.Base(l.Src.Path) {
		if record.Hash(data) != l.Src.FileHash {
			return fmt.Errorf("%s has changed while it was read; run the command again", name)
		}
		var text string
		text, u.Moved = model.UploadText(string(data), l.Data)
		data = []byte(text)
	}
	return out.Write(rel, data, info.Mode().Perm())
}

// Text is what became of a bundle, for people.
func (u *Upload) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, ", u.To, words.Count(u.Files, "file"))
	if u.Moved == nil {
		b.WriteString("as they are\n")
	} else {
		fmt.Fprintf(&b, "moved into metadata: %s\n", strings.Join(u.Moved, ", "))
	}
	for _, p := range u.Refused {
		fmt.Fprintf(&b, "  would be refused: %s: %s\n", p.Code, p.Text())
	}
	return b.String()
}

// JSON is the same as a line of JSON.
func (u *Upload) JSON() ordjson.Value {
	text := func(key, s string) ordjson.Member { return ordjson.Field(key, ordjson.NewString(s)) }
	refused := make([]ordjson.Value, len(u.Refused))
	for i, p := range u.Refused {
		refused[i] = ordjson.NewObject(text("code", p.Code), text("message", p.Message), text("fix", p.Fix))
	}
	return ordjson.NewObject(text("id", u.ID), text("from", u.From), text("to", u.To),
		ordjson.Field("files", ordjson.NewInt(u.Files)), ordjson.Field("moved", ordjson.Strings(u.Moved)),
		ordjson.Field("refused", ordjson.NewArray(refused...)))
}

// Uploads are those of all bundles among load records. That two have one folder, or
// that one is there, is an error before anything is written.
func Uploads(loads []*record.Load, into string, replace bool) ([]*Upload, error) {
	others := func(l *record.Load) bool { return l.Type != record.TypeSkillMD }
	bundles := slices.DeleteFunc(slices.Clone(loads), others)
	from := map[string]string{}
	for _, l := range bundles {
		name := walk.Folder(l.Src)
		if other, twice := from[name]; twice {
			return nil, fmt.Errorf("%s and %s have folders of one name: give one of them at a time", other,
				l.Src.File())
		}
		from[name] = l.Src.File()
		to := filepath.Join(into, name)
		if _, err := os.Lstat(to); err == nil && !replace {
			return nil, fmt.Errorf("%s is there already: --force replaces it", to)
		}
	}
	var list []*Upload
	for _, l := range bundles {
		u, err := NewUpload(l, into, replace)
		if err != nil {
			return list, err
		}
		list = append(list, u)
	}
	return list, nil
}
