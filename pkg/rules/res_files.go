package rules

import (
	"path"

	"github.com/flowmcp/fmcp/pkg/model"
)

// fileOwner is the first resource that keeps a file below the project's folder of
// resources.
type fileOwner struct{ id, url string } // no url of a file-based database

// fileOwners are those of all files that have come by.
type fileOwners map[string]fileOwner

// checkOwnFile reports an http resource whose file is another's too (docs/decisions.md,
// "HTTP resources").
func checkOwnFile(p *Pass) {
	owners := keep(&p.ctx.fresh, func() fileOwners { return fileOwners{} })
	p.eachResource(func(r *resource) {
		own := fileOwner{id: p.load.ID + " (" + r.Name + ")", url: r.Get("url").Str()}
		at, file := "path", path.Clean(r.Get("path").Str())
		if r.is(model.SQLite) {
			at, file, own.url = "name", r.File, ""
		}
		if file == "." || r.is(model.SQLite) && r.Mode != model.FileBased {
			return // RES036, RES027
		}
		first, taken := owners[file]
		switch {
		case !taken || first.id == own.id:
			owners[file] = own
		case first.url != own.url:
			what := "the file of " + first.id + ", with another url"
			switch {
			case first.url == "":
				what = "the file-based database of " + first.id
			case own.url == "":
				what = "where " + first.id + " keeps what it downloads"
			}
			p.report(r.At(at), found(r.Get(at))+", "+what, "give one of the two another "+at)
		}
	}, model.HTTP, model.SQLite)
}
