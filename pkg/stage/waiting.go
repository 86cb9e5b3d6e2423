package stage

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/record"
)

// waitingFile is a file that must be checked when its whole catalog is known.
type waitingFile struct {
	*checkedFile
	item      *Item
	failed    bool   // there is an error-level finding about it
	placeOnly bool   // of the record only the place of its file is kept
	said      string // what was found when it was checked last, where fmcp-scan watches: the records are gone
}

// maxWaiting is how many records that wait for the whole catalog are kept. In a
// catalog where every schema has prompts that would be all of it.
const maxWaiting = 256

// keepPlace keeps of a waiting file only what it takes to read it again when
// the last record has come. A record that could not be read again, or whose
// comments count, is kept.
func (w *waitingFile) keepPlace(c *wholeCatalog) {
	load := w.Load
	if !load.Static || load.Ignores != nil || load.Reviews != nil || load.Src.FileHash == "" ||
		!c.lists.folder.Exists(c.facts.Path(load.Src)) {
		return
	}
	w.placeOnly, w.item = true, nil
	// With texts of its own: those of the record are pieces of its line.
	w.Load = &record.Load{ID: strings.Clone(load.ID), Src: load.Src.Clone()}
}

// reload reads a file again of which the place was kept; nil if it is not what
// it was.
func (w *waitingFile) reload(c *wholeCatalog) *record.Load {
	load := c.lists.folder.load(c.facts.Path(w.Src))
	if load == nil || load.Src.FileHash != w.Src.FileHash {
		return nil
	}
	load.Src, load.ID = w.Src, w.ID
	return load
}

// round judges the catalog as it is now, where fmcp-scan watches. Files of earlier
// rounds are checked again, since what they refer to may have come or gone; there
// is something to report of one only if it is not what was reported before.
func (j *catalogCheck) round(r *checkedRound) Batch {
	if j.Round != nil {
		j.Round()
	}
	gone := map[string]bool{}
	for _, path := range r.Removed {
		src := record.Source{Root: r.Root, Path: path}
		j.remove(src)
		gone[src.File()] = true
	}
	j.noteUnread()
	for dir, c := range j.catalogs {
		if lists := r.lists[dir]; lists != nil {
			c.use(lists, &j.ValidateOptions)
			c.lists.folder.forget()
			c.rules.Forget()
		}
	}
	j.judged = slices.DeleteFunc(j.judged, func(w *waitingFile) bool {
		name := w.Src.File()
		return gone[name] || j.came[name]
	})
	clear(j.came)
	var out Batch
	for _, w := range j.judged {
		found := j.whole(w)
		if text := textOf(found); text != w.said {
			w.said = text
			out = append(out, found...)
		}
	}
	out = append(out, j.judge(true)...)
	j.judged, j.waiting, j.again = append(j.judged, j.waiting...), nil, true
	return out
}

// remove forgets a file that the catalog has no more.
func (j *catalogCheck) remove(src record.Source) {
	c := j.of(src)
	c.facts.Remove(c.facts.Path(src))
	j.keys.Remove(src.File())
	delete(j.unread, src.File())
}

// roundAnew is round for who wants all that there is to report, and not only what
// was not reported before.
func (j *catalogCheck) roundAnew(r *checkedRound) Batch {
	for _, w := range j.judged {
		w.said = ""
	}
	j.twice, j.keys.said = nil, nil
	return j.round(r)
}

func textOf(b Batch) string {
	var text []byte
	for _, it := range b {
		text = append(it.AppendJSON(text), '\n')
	}
	return string(text)
}
