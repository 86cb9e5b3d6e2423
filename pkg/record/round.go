package record

import (
	"strconv"

	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// MaxRoundFiles is up to how many changed files a Round names: more nobody
// reads one by one, and the round of a whole catalog stays a short line.
const MaxRoundFiles = 20

// Round says that the records before it are all of a catalog for now: fmcp-scan
// --watch emits one behind everything that it found at first, and one behind
// the changes of each time after that. Rules that need the whole catalog run
// when it comes.
type Round struct {
	Root    string   // the scanned root as the user gave it
	Changed int      // files of the round: new, changed, or not readable any more
	Files   []string // the same, relative to Root; nil where they are more than MaxRoundFiles
	Removed []string // relative to Root: files of earlier rounds that the catalog has no more
}

// AppendJSON implements Record.
func (r *Round) AppendJSON(b []byte) []byte {
	b = head(b, KindRound)
	b = str(b, "root", r.Root)
	b = append(b, `,"changed":`...)
	b = strconv.AppendInt(b, int64(r.Changed), 10)
	if len(r.Files) > 0 {
		b = append(b, `,"files":`...)
		b = ordjson.Append(b, ordjson.Strings(r.Files))
	}
	b = append(b, `,"removed":`...)
	b = ordjson.Append(b, ordjson.Strings(r.Removed))
	return append(b, '}')
}

func roundOf(v ordjson.Value) *Round {
	return &Round{
		Root:    v.Get("root").Str(),
		Changed: int(v.Get("changed").Float()),
		Files:   StringsOf(v.Get("files")),
		Removed: StringsOf(v.Get("removed")),
	}
}
