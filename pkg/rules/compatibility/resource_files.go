package compatibility

import (
	"path"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/walk"
)

func checkContentHash(p *engine.Pass) {
	if p.Ctx.Files == nil || !p.IsManifest() {
		return
	}
	read := func(name string) []byte { return p.Ctx.Files.Read(p.InCatalog(name)) }
	if problem := walk.CheckContentHash(p.Root.Value, read); problem != nil {
		p.Report(p.Root.At("contentHash"), strings.TrimPrefix(problem.Message, "registry.contentHash: "), problem.Fix)
	}
}

// fileOwner is the first resource that keeps a file below the project's folder of
// resources.
type fileOwner struct{ id, url string } // no url of a file-based database

// fileOwners are those of all files that have come by.
type fileOwners map[string]fileOwner

// checkOwnFile reports an http resource whose file is another's too (docs/decisions.md,
// "HTTP resources").
func checkOwnFile(p *engine.Pass) {
	owners := engine.Keep(&p.Ctx.Fresh, func() fileOwners { return fileOwners{} })
	p.EachResource(func(r *engine.Resource) {
		own := fileOwner{id: p.Load.ID + " (" + r.Name + ")", url: r.Get("url").Str()}
		at, file := "path", path.Clean(r.Get("path").Str())
		if r.Is(model.SQLite) {
			at, file, own.url = "name", r.File, ""
		}
		if file == "." || r.Is(model.SQLite) && r.Mode != model.FileBased {
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
			p.Report(r.At(at), engine.Found(r.Get(at))+", "+what, "give one of the two another "+at)
		}
	}, model.HTTP, model.SQLite)
}
