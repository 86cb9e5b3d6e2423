package catalog

import (
	"crypto/sha256"
	"path/filepath"
	"slices"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// listedFiles are where a registry names its files (chapter 15, "contentHash Field").
var listedFiles = []struct{ section, field string }{
	{"shared", "file"}, {"schemas", "file"}, {"agents", "manifest"}, {"selections", "file"},
}

// CheckContentHash compares the contentHash of a registry with the files that it
// lists: the raw bytes of each behind its path, sorted by code units (docs/decisions.md,
// "Content hash"). It is nil where they agree, where there is none, and where read has no
// file, which CAT003 to CAT005 report.
func CheckContentHash(registry ordjson.Value, read func(path string) []byte) *Problem {
	written := registry.Get("contentHash")
	if !written.Exists() {
		return nil
	}
	var paths []string
	for _, l := range listedFiles {
		for _, e := range registry.Get(l.section).Elems() {
			paths = append(paths, e.Get(l.field).Str())
		}
	}
	slices.SortFunc(paths, ordjson.CompareUTF16)
	sum := sha256.New()
	for _, path := range slices.Compact(paths) {
		var text []byte
		if filepath.IsLocal(path) {
			text = read(path)
		}
		if text == nil {
			return nil
		}
		sum.Write([]byte(path + ":"))
		sum.Write(text)
		sum.Write([]byte{'\n'})
	}
	want := record.HashText(sum.Sum(nil))
	if written.Str() == want {
		return nil
	}
	return &Problem{Code: CodeContentHash, Pointer: "/contentHash",
		Message: "registry.contentHash: found " + found(written) + ", expected " + quote(want) + " of the files that the registry lists",
		Fix:     "look at what has changed, then write the hash that is expected, or leave the field out",
	}
}

// checkContent compares what the registry says of its files with what they are.
func (s *session) checkContent(c *catalog) {
	if c.manifest == nil || s.opts.Read == nil || s.judged[c.manifest.Src.File()] {
		return
	}
	severity := record.SeverityError
	if s.opts.Community {
		severity = record.SeverityWarning
	}
	dir := filepath.Dir(c.manifest.Src.File())
	if p := CheckContentHash(c.registry, func(name string) []byte { return s.opts.Read(dir, name) }); p != nil {
		s.report(severity, c.manifest.ID, c.manifest.Src, *p)
	}
}
