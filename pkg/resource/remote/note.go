package remote

import (
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// metaSuffix follows the name of a copy in that of the note about it. A file
// without a note was not downloaded by us and is never overwritten.
const metaSuffix = ".meta.json"

// note is what is known about a copy. It is written in the names of chapter 11,
// "Cache Storage". The zero time is one that is not known.
type note struct {
	URL          string // without its query, which may hold a key
	URLHash      string // SHA-256 of the whole
	Pending      bool   // the file was about to be put in its place for the first time
	Fetched      time.Time
	Bytes        int64
	ETag         string
	LastModified string
	Failed       time.Time // when it could last not be fetched
	FailureCode  string    // why, a code
	Failure      string    // … and a sentence
}

// maxNote is how large a note may be; a larger one is not ours.
const maxNote = 64 << 10

// readNote reads a note; ok is false if there is none that can be read.
func readNote(path string) (n note, ok bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxNote {
		return n, false
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return n, false
	}
	v, err := ordjson.Parse(string(b))
	if err != nil {
		return n, false
	}
	at := func(key string) time.Time {
		t, err := time.Parse(time.RFC3339, v.Get(key).Str())
		if err != nil {
			return time.Time{}
		}
		return t
	}
	n = note{
		URL: v.Get("url").Str(), URLHash: v.Get("urlHash").Str(), Pending: v.Get("pending").True(),
		Fetched: at("fetchedAt"), Bytes: int64(v.Get("bytes").Float()),
		ETag: v.Get("etag").Str(), LastModified: v.Get("lastModified").Str(), Failed: at("failedAt"),
		FailureCode: v.Get("failureCode").Str(), Failure: v.Get("failure").Str(),
	}
	return n, n.URLHash != ""
}

// IsCopy reports whether the file at a path is a copy of a download, which will
// be fetched again.
func IsCopy(path string) bool {
	_, ok := readNote(path + metaSuffix)
	return ok
}

func (n *note) write(path string) error {
	var members []ordjson.Member
	text := func(key, s string) {
		if s != "" {
			members = append(members, ordjson.Field(key, ordjson.NewString(s)))
		}
	}
	at := func(key string, t time.Time) {
		if !t.IsZero() {
			text(key, record.Timestamp(t))
		}
	}
	text("url", n.URL)
	text("urlHash", n.URLHash)
	if n.Pending {
		members = append(members, ordjson.Field("pending", ordjson.NewBool(true)))
	}
	at("fetchedAt", n.Fetched)
	members = append(members, ordjson.Field("bytes", ordjson.NewNumberText(strconv.FormatInt(n.Bytes, 10))))
	text("etag", n.ETag)
	text("lastModified", n.LastModified)
	at("failedAt", n.Failed)
	text("failureCode", n.FailureCode)
	text("failure", n.Failure)
	return atomicfile.Write(filepath.Dir(path), filepath.Base(path),
		append(ordjson.Append(nil, ordjson.NewObject(members...)), '\n'))
}
