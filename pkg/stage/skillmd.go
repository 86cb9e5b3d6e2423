package stage

import (
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// skillMD loads a SKILL.md.
func (l *loader) skillMD() Batch {
	text, rerr := l.text()
	if rerr != nil {
		return Batch{New(rerr)}
	}
	v, err := model.SkillMD(text)
	if err != nil {
		return l.syntax("the frontmatter is not YAML that can be read: ", text, err)
	}
	load := &record.Load{Type: l.scan.Type, Src: l.src, Data: v, Exports: []string{}, Static: true}
	load.ID = walk.FileID(load, l.scan.Namespace)
	hash(load)
	load.Places = record.NewPlaces(v, nil, module.NewLines(text))
	return l.done(load)
}
