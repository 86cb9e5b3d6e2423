package walk

import (
	"crypto/sha256"
	"path/filepath"
	"slices"

	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// CheckContentHash compares the contentHash of a registry with the files that
// it lists: the raw bytes of each after its path, sorted by code units
// (docs/decisions.md, "Content hash"). It is nil where they agree, if there is
// none, and where read has no file, which CAT003 to CAT005 report.
func CheckContentHash(registry ordjson.Value, read func(path string) []byte) *words.Problem {
	written := registry.Get("contentHash")
	if !written.Exists() {
		return nil
	}
	want := ContentHash(registry, read)
	if want == "" {
		return nil
	}
	if written.Str() == want {
		return nil
	}
	return &words.Problem{Code: catalog.CodeContentHash, Pointer: "/contentHash",
		Message: "registry.contentHash: found " + words.Brief(ordjson.Text(written)) + ", expected " +
			words.Quote(want) + " of the files that the registry lists",
		Fix: "look at what has changed, then write the hash that is expected, or leave the field out",
	}
}

// ContentHash is what CheckContentHash expects, "" where read has no file.
func ContentHash(registry ordjson.Value, read func(path string) []byte) string {
	paths := ListedFiles(registry)
	slices.SortFunc(paths, ordjson.CompareUTF16)
	sum := sha256.New()
	for _, path := range slices.Compact(paths) {
		var text []byte
		if filepath.IsLocal(path) {
			text = read(path)
		}
		if text == nil {
			return ""
		}
		sum.Write([]byte(path + ":"))
		sum.Write(text)
		sum.Write([]byte{'\n'})
	}
	return record.HashText(sum.Sum(nil))
}
