package config

import (
	"path/filepath"
	"sync/atomic"

	"github.com/flowmcp/fmcp/pkg/record"
)

// Filter decides which findings are reported, and how bad they are. It may be
// used by several goroutines.
type Filter struct {
	severities map[string]record.Severity
	ignores    []Ignore
	dir        string // absolute, of the configuration file
	baseline   *Baseline

	left atomic.Int64
}

// NewFilter makes the filter of a file and a baseline, each of which may be
// nil.
func NewFilter(f *File, b *Baseline) *Filter {
	if f == nil {
		return &Filter{baseline: b}
	}
	dir, err := filepath.Abs(filepath.Dir(f.Path))
	if err != nil {
		dir = filepath.Dir(f.Path)
	}
	return &Filter{severities: f.Severities, ignores: f.Ignores, dir: dir, baseline: b}
}

// Left is how many findings were left out so far, those of the baseline not
// counted.
func (f *Filter) Left() int { return int(f.left.Load()) }

// Round says that files may come again (see Baseline.Round).
func (f *Filter) Round() {
	if f.baseline != nil {
		f.baseline.Round()
	}
}

// Apply returns a finding as it is to be reported, nil if it is not. The
// finding itself is not changed.
func (f *Filter) Apply(d *record.Diagnostic) *record.Diagnostic {
	if sev, ok := f.severities[d.Code]; ok && sev != d.Severity {
		lowered := *d
		lowered.Severity = sev
		d = &lowered
	}
	if d.Severity == record.SeverityOff || f.ignored(d) {
		f.left.Add(1)
		return nil
	}
	if f.baseline != nil && f.baseline.Take(d) {
		return nil
	}
	return d
}

func (f *Filter) ignored(d *record.Diagnostic) bool {
	for _, ig := range f.ignores {
		if ig.Code == d.Code && (ig.Path == nil || f.within(ig, d.Loc.Path)) &&
			(ig.Subject == nil || ig.Subject.Match(d.Subject)) {
			return true
		}
	}
	return false
}

// within reports whether the path of an ignore is about a file.
func (f *Filter) within(ig Ignore, name string) bool {
	abs, err := filepath.Abs(name)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(f.dir, abs)
	return err == nil && filepath.IsLocal(rel) && ig.Path.MatchWithin(filepath.ToSlash(rel))
}
