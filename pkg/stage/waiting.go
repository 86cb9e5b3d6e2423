package stage

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/spool"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// waitingFile is a file that must be checked when its whole catalog is known.
type waitingFile struct {
	*checkedFile
	catalog *wholeCatalog
	item    *Item       // nil where the record is kept; then checkedFile has only its place
	kept    spool.Place // of the line
	failed  bool        // there is an error-level finding about it
	said    string      // what was found when it was checked last, where fmcp-scan watches
}

func (w *waitingFile) compare(o *waitingFile) int {
	return cmp.Or(w.catalog.place-o.catalog.place,
		walk.ComparePaths(filepath.ToSlash(w.Src.File()), filepath.ToSlash(o.Src.File())))
}

// item is the record of a file that waits; nil where it cannot be read.
func (j *catalogCheck) item(w *waitingFile) *Item {
	if w.item != nil {
		return w.item
	}
	return j.records.item(w.kept)
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
			c.folder.forget()
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
		it := j.item(w)
		if it == nil {
			break
		}
		found := j.whole(w, it)
		if text := textOf(found); text != w.said {
			w.said = text
			out = append(out, found...)
		}
	}
	j.judge(true, func(b Batch) bool { out = append(out, b...); return true })
	j.judged, j.waiting, j.again = append(j.judged, j.waiting...), nil, true
	return out
}

// remove forgets a file that the catalog has no more.
func (j *catalogCheck) remove(src record.Source) {
	j.of(src).remove(src)
	j.keys.Remove(src.File())
	delete(j.unread, src.File())
}

func (c *wholeCatalog) remove(src record.Source) {
	name := c.facts.Path(src)
	c.facts.Remove(name)
	delete(c.folder.came.places, name)
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
