package resource

import (
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/resource/origin"
)

// Spec says where the data of a resource is and how it is opened: the fields of
// its resolved record (docs/records.md). It does not change.
type Spec struct {
	ID     string // Spec-ID: tokens/resource/tokenLookup
	Source model.ResourceSource
	Mode   string // of a database: model.InMemory, model.FileBased
	Origin string
	File   string        // name of the file at the origin
	Schema string        // path of the schema's file in the catalog, with slashes
	Folder string        // that this path is relative to
	Data   ordjson.Value // the record's data, whole
}

// NewSpec reads a resolved record of type resource. folder is the one that the
// paths of its catalog are relative to.
func NewSpec(r *record.Resolved, folder string) *Spec {
	d := r.Data
	return &Spec{
		ID: r.ID, Source: model.ResourceSource(d.Get("source").Str()), Mode: d.Get("mode").Str(),
		Origin: d.Get("origin").Str(),
		File:   d.Get("file").Str(), Schema: d.Get("src").Get("path").Str(), Folder: folder, Data: d,
	}
}

// writes reports whether the data may be changed. Chapter 13 allows it below the
// project only, whatever a catalog says.
func (s *Spec) writes() bool {
	return s.Source == model.SQLite && s.Mode == model.FileBased && s.Origin == model.Project
}

// sealed reports whether the data is a database with a seal, which is only read.
func (s *Spec) sealed() bool { return s.Source == model.SQLiteGTFS }

// key identifies the open database of the resource.
func (s *Spec) key(path string) key { return key{path, s.writes(), s.sealed()} }

// place is where the file of the resource is.
func (s *Spec) place(places origin.Places) (origin.Place, error) {
	p := &places
	p.Catalog = s.Folder
	switch s.Source {
	case model.SQLite:
		return p.File(s.Origin, s.File, ".db", s.Schema)
	case model.Markdown:
		return p.File(s.Origin, s.File, ".md", s.Schema)
	case model.SQLiteGTFS:
		return p.Path(s.Data.Get("path").Str())
	}
	return origin.Place{}, fail(CodeMissing,
		"a resource of source %q is not known to this version: resolve the catalog again", s.Source)
}
