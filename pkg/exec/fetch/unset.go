package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// unsetFolder is where a recording says of which calls it cannot have an answer.
const unsetFolder = "_unset"

// maxUnset is the largest file in it that is read, in bytes.
const maxUnset = 64 << 10

// NoteUnset notes in the recording, where one is made, for want of which server
// parameters a call is not made; none says that it is made after all. Who
// replays the recording needs no keys, and could not tell otherwise. params hold
// no server parameter. The error is EXE068.
func (c *Client) NoteUnset(id string, params ordjson.Value, keys []string) *words.Problem {
	if c.record == nil {
		return nil
	}
	name := unset(id, params)
	var err error
	if len(keys) == 0 {
		err = c.record.remove(name)
	} else {
		note := ordjson.NewObject(
			ordjson.Field("v", ordjson.NewInt(1)), ordjson.Field("id", ordjson.NewString(id)),
			ordjson.Field("params", params),
			ordjson.Field("missing", ordjson.Strings(keys)),
		)
		err = atomicfile.Write(c.record.dir, name, append(ordjson.AppendIndent(nil, note, ""), '\n'))
	}
	if err != nil {
		return fail(CodeRecording, "that the call was not made could not be recorded: %s", err)
	}
	return nil
}

// Unset are the server parameters for want of which a call was not made when
// the answers were recorded that are replayed.
func (c *Client) Unset(id string, params ordjson.Value) []string {
	if c.replay == nil {
		return nil
	}
	text, err := walk.ReadFile(filepath.Join(c.replay.dir, unset(id, params)), maxUnset)
	if err != nil {
		return nil // the call says what is not there
	}
	note, err := ordjson.Parse(string(text))
	if err != nil {
		return nil
	}
	return record.StringsOf(note.Get("missing"))
}

// remove removes a file of the folder; a link leads nowhere out of it.
func (r *Recording) remove(name string) error {
	root, err := os.OpenRoot(r.dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if err := root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// unset is the file of a call in the folder.
func unset(id string, params ordjson.Value) string {
	sum := sha256.Sum256([]byte(id + "\n" + ordjson.Text(params)))
	return filepath.Join(unsetFolder, hex.EncodeToString(sum[:12])+".json")
}
