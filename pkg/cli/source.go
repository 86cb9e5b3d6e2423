package cli

import (
	"os"
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/stage"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// sources reads the files that findings are about, for the snippets of a text
// report. Their paths come from records, which anybody may have written, so a
// line is shown only of a file that is by name the source of a catalog and
// lies, links resolved, below the current folder or a path that the user named,
// and that has not changed since it was judged.
type sources struct {
	named   []string      // paths that the user named
	buffers stage.Buffers // of what stdin has the text of
	roots   []string      // the same and the current folder, absolute and without links; nil until asked for
}

// lines implements report.Options.Source.
func (s *sources) lines(l *record.Loc) (report.Lines, bool) {
	if s.buffers != nil {
		if text, ok := s.buffers(l.Path); ok {
			return module.NewLines(text), true
		}
	}
	if s.roots == nil {
		for _, p := range append(s.named, ".") {
			if real, err := walk.RealPath(p); err == nil {
				s.roots = append(s.roots, real)
			}
		}
	}
	real, err := walk.RealPath(l.Path)
	if err != nil || !hasLines(real) || !s.below(real) {
		return nil, false
	}
	if info, err := os.Stat(real); err != nil || info.Size() > stage.MaxFile {
		return nil, false
	}
	b, err := walk.ReadFile(real, stage.MaxFile)
	if err != nil || l.FileHash != "" && record.Hash(b) != l.FileHash {
		return nil, false
	}
	return module.NewLines(string(b)), true
}

func (s *sources) below(real string) bool {
	for _, root := range s.roots {
		if rel, err := filepath.Rel(root, real); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

func hasLines(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".mjs" || ext == ".md" || filepath.Base(name) == "registry.json"
}
