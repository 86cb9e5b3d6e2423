package resource

import (
	"github.com/flowmcp/fmcp/pkg/catalog"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/resource/origin"
)

// Spec says where the data of a resource is and how it is opened. It does not
// change.
type Spec struct {
	*catalog.Resource
	Folder string // that the paths of its catalog are relative to
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
		return p.File(s.Origin, s.File, ".db", s.Src.Path)
	case model.Markdown:
		return p.File(s.Origin, s.File, ".md", s.Src.Path)
	case model.SQLiteGTFS:
		return p.Path(s.Path)
	}
	return origin.Place{}, fail(CodeMissing,
		"a resource of source %q is not known to this version: resolve the catalog again", s.Source)
}
