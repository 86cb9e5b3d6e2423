// Package capture keeps what tests were answered, in the layout of chapter 10:
//
//	DIR/{timestamp}/{namespace}/{routeName}-{index}.json
//	DIR/{timestamp}/{namespace}/metrics.json
package capture

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/exec/captured"
	"github.com/flowmcp/fmcp/pkg/exec/percent"
	"github.com/flowmcp/fmcp/pkg/exec/suite"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
)

// Run is the folder of one run of tests. Each run has one of its own, so that
// nothing is ever overwritten. It is for one goroutine.
type Run struct {
	dir        string // "" if there is none
	mode       record.TestMode
	namespaces []*metrics // in the order of their first tests
}

// stamp is the time of a run as the name of a folder: ISO 8601, without the
// colons that some file systems refuse, so that names sort by time.
const stamp = "2006-01-02T15-04-05.000Z"

// Start makes the folder of a run that begins now below dir, which it makes too.
func Start(dir string, mode record.TestMode, now time.Time) (*Run, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("--capture: %w", err)
	}
	for range 1000 {
		path := filepath.Join(dir, now.UTC().Format(stamp))
		err := os.Mkdir(path, 0o700)
		if err == nil {
			return &Run{dir: path, mode: mode}, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("--capture: %w", err)
		}
		now = now.Add(time.Millisecond) // another run began in the same one
	}
	return nil, fmt.Errorf("--capture: %s is full of runs of this second: try again", dir)
}

// Dir is the folder of the run.
func (r *Run) Dir() string { return r.dir }

// Add keeps a result: its answer, where there was a call, and its figures.
func (r *Run) Add(res *suite.Result) error {
	namespace, _, _ := strings.Cut(res.ID, "/")
	m := r.metrics(namespace)
	m.add(res)
	if !res.Called {
		return nil
	}
	name := percent.FileName(res.Case.Target.Label()) + "-" + strconv.Itoa(res.Case.Index) + ".json"
	return r.write(filepath.Join(m.dir, name), answer(namespace, res))
}

// Close writes the figures. It may be called when the run was cut short.
func (r *Run) Close() error {
	var errs []error
	for _, m := range r.namespaces {
		errs = append(errs, r.write(filepath.Join(m.dir, captured.MetricsName), m.json(r.mode)))
	}
	r.namespaces = nil
	return errors.Join(errs...)
}

func (r *Run) metrics(namespace string) *metrics {
	for _, m := range r.namespaces {
		if m.namespace == namespace {
			return m
		}
	}
	m := &metrics{namespace: namespace, dir: percent.FileName(namespace)}
	r.namespaces = append(r.namespaces, m)
	return m
}

// answer is a file of chapter 10, "Record Response", with the tool's Spec-ID
// at its end. Everything in it has been redacted.
func answer(namespace string, res *suite.Result) ordjson.Value {
	members := []ordjson.Member{
		ordjson.Field("namespace", ordjson.NewString(namespace)),
		ordjson.Field("routeName", ordjson.NewString(res.Case.Target.Label())),
		ordjson.Field("testIndex", ordjson.NewInt(res.Case.Index)),
		ordjson.Field("_description", ordjson.NewString(res.Case.Description)),
		ordjson.Field("userParams", res.Params),
		ordjson.Field("responseTime", ordjson.NewInt(int(res.Duration.Milliseconds()))),
		ordjson.Field("timestamp", ordjson.NewString(record.Timestamp(res.Began))),
		ordjson.Field("response", ordjson.NewObject(
			ordjson.Field("status", ordjson.NewBool(res.Status)),
			ordjson.Field("messages", ordjson.Strings(res.Messages)),
			ordjson.Field("data", res.Data),
		)),
		ordjson.Field("id", ordjson.NewString(res.ID)),
	}
	if res.ContentType != "" {
		members = append(members, ordjson.Field("contentType", ordjson.NewString(res.ContentType)))
	}
	if warnings := slices.Concat(res.Warnings, res.Test.Mismatches); len(warnings) > 0 {
		members = append(members, ordjson.Field("warnings", ordjson.Strings(warnings)))
	}
	return ordjson.NewObject(members...)
}

// write writes a new file, whole or not at all, and makes its folder.
func (r *Run) write(name string, v ordjson.Value) error {
	if err := atomicfile.Write(r.dir, name, append(ordjson.AppendIndent(nil, v, ""), '\n')); err != nil {
		return fmt.Errorf("--capture: %w", err)
	}
	return nil
}
