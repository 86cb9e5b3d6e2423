// Package captured reads the answers of tests that are kept in the layout of
// chapter 10; pkg/exec/capture writes them.
package captured

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/walk"
)

// MetricsName is the name of the file with the figures of a namespace.
const MetricsName = "metrics.json"

// CodeBadCapture is the code of a file below a folder of captures that is none;
// pkg/rules has its row.
const CodeBadCapture = "EXE066"

// Answer is what a file of a capture says of a call.
type Answer struct {
	ID          string // Spec-ID of the tool
	Index       int    // of the test, from 0
	Description string // of the test
	Status      bool
	Messages    []string
	Warnings    []string
	Data        ordjson.Value
	ContentType string // as in record.Envelope
	At          string // likewise
}

// envelope is the answer as that of a test, without data. It keeps no part of the
// text of the file.
func (a *Answer) envelope() *record.Envelope {
	own := func(list []string) []string {
		for i, s := range list {
			list[i] = strings.Clone(s)
		}
		return list
	}
	t := &record.Test{Index: a.Index, Description: strings.Clone(a.Description), Mode: record.TestRun,
		Outcome: record.TestFailed}
	if a.Status {
		t.Outcome = record.TestPassed
	}
	return &record.Envelope{ID: strings.Clone(a.ID), Status: a.Status, Messages: own(a.Messages),
		Warnings: own(a.Warnings), Data: ordjson.NewNull(), Test: t, At: strings.Clone(a.At)}
}

// Last are the envelopes of the answers that are kept below a folder, of each test
// the last one, without data; the folders of runs have the names of their times. bad
// is called as by Read.
func Last(dir string, bad func(file string, err error)) ([]*record.Envelope, error) {
	type test struct {
		id    string
		index int
	}
	at := map[test]int{}
	var list []*record.Envelope
	err := Read(dir, func(a Answer) {
		e := a.envelope()
		t := test{e.ID, a.Index}
		if i, again := at[t]; again {
			list[i] = e
			return
		}
		at[t] = len(list)
		list = append(list, e)
	}, bad)
	return list, err
}

// maxFile is how large a file of a capture may be, in bytes: the largest answer
// that --max-response is likely to allow, as indented JSON.
const maxFile = 64 << 20

// Read hands on the answers that are kept below a folder, in the order of their
// paths: those of one run, or of all runs of a --capture folder. Symbolic links
// in it are not followed. bad is called for files that are not captures; the error
// is that the folder cannot be read.
func Read(dir string, add func(Answer), bad func(file string, err error)) error {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return fmt.Errorf("%s: no such folder of captures", dir)
	}
	return filepath.WalkDir(real, func(path string, d fs.DirEntry, err error) error {
		shown := filepath.Join(dir, strings.TrimPrefix(path, real))
		switch {
		case err != nil:
			return fmt.Errorf("%s: cannot be read: %w", shown, errors.Unwrap(err))
		case d.IsDir() || filepath.Ext(path) != ".json" || d.Name() == MetricsName:
			return nil
		case !d.Type().IsRegular():
			bad(shown, errors.New("is not a regular file, and was not read"))
			return nil
		}
		a, err := readAnswer(path)
		if err != nil {
			bad(shown, err)
			return nil
		}
		add(a)
		return nil
	})
}

func readAnswer(path string) (Answer, error) {
	text, err := walk.ReadFile(path, maxFile+1)
	if err != nil {
		return Answer{}, fmt.Errorf("cannot be read: %w", err)
	}
	if len(text) > maxFile {
		return Answer{}, fmt.Errorf("is larger than %d MiB", maxFile>>20)
	}
	v, err := ordjson.Parse(string(text))
	if err != nil {
		return Answer{}, fmt.Errorf("is not JSON: %w", err)
	}
	response := v.Get("response")
	a := Answer{ID: v.Get("id").Str(), Index: int(v.Get("testIndex").Float()), Description: v.Get("_description").Str(),
		Status: response.Get("status").True(), Messages: record.StringsOf(response.Get("messages")),
		Warnings: record.StringsOf(v.Get("warnings")), Data: response.Get("data"),
		ContentType: v.Get("contentType").Str()}
	if at := v.Get("timestamp").Str(); isTime(at) {
		a.At = at
	}
	if namespace, name := v.Get("namespace").Str(), v.Get("routeName").Str(); a.ID == "" && namespace != "" &&
		name != "" {
		a.ID = namespace + "/tool/" + name // as chapter 10 writes it, without an id
	}
	switch {
	case a.ID == "" || !response.Get("status").Is(ordjson.Bool):
		return a, errors.New("is not a capture: expected namespace, routeName and response, with status and data " +
			"(chapter 10)")
	case a.Status && !a.Data.Exists():
		return a, errors.New("response.data is missing, though response.status is true")
	}
	return a, nil
}

func isTime(text string) bool {
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}
