package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/report"
)

// The formats that every command writes.
const (
	FormatText   = "text"
	FormatNDJSON = "ndjson"
)

// AnswerFormats are the formats of subcommands that answer a question.
var AnswerFormats = []string{FormatText, FormatNDJSON}

// FindingFormats are the formats of commands that report findings.
var FindingFormats = report.Formats()

// OutputFlags are the flags of commands that write in several formats.
type OutputFlags struct {
	Format string       `group:"Output" short:"f" placeholder:"FORMAT" help:"Format on stdout: FORMATS (default: text on a terminal, else ndjson)"`
	Output []OutputSpec `group:"Output" short:"o" sep:"none" placeholder:"FORMAT=FILE" help:"Write FILE in FORMAT too, whole or not at all; may be repeated"`
}

// OutputSpec is a value of --output.
type OutputSpec struct{ Format, File string }

// UnmarshalText reads FORMAT=FILE.
func (s *OutputSpec) UnmarshalText(text []byte) error {
	format, file, ok := strings.Cut(string(text), "=")
	if !ok || format == "" || file == "" {
		return Usagef("%q is not FORMAT=FILE, as in ndjson=findings.ndjson", text)
	}
	*s = OutputSpec{format, file}
	return nil
}

// Writes reports whether any output has a format.
func (f *OutputFlags) Writes(format string) bool {
	return f.Format == format || slices.ContainsFunc(f.Output, func(o OutputSpec) bool { return o.Format == format })
}

// OnlyLines reports whether all outputs are records as they are.
func (f *OutputFlags) OnlyLines() bool {
	return f.Format == FormatNDJSON && !slices.ContainsFunc(f.Output, func(o OutputSpec) bool {
		return o.Format != FormatNDJSON && o.Format != FormatCatalog
	})
}

func (f *OutputFlags) outputFlags() *OutputFlags { return f }

func (f *OutputFlags) check(a *App) error {
	if f.Format == "" {
		f.Format = FormatNDJSON
		if a.IO.StdoutTTY {
			f.Format = FormatText
		}
	}
	if err := checkChoice(f.Format, a.formats()); err != nil {
		return Usagef("--format: %v", err)
	}
	files := map[string]bool{}
	if f.Format == FormatCatalog {
		return Usagef("--format: stdout is a catalog as ndjson; %s is for a file, as in -o catalog=catalog.ndjson",
			FormatCatalog)
	}
	for _, o := range f.Output {
		if err := checkChoice(o.Format, a.formats()); err != nil {
			return Usagef("--output: %v", err)
		}
		if o.File == "-" {
			return Usagef("--output %s=-: stdout is written in the format of --format; use -f %s", o.Format, o.Format)
		}
		file := filepath.Clean(o.File)
		if files[file] {
			return Usagef("--output: two outputs go to %s", o.File)
		}
		files[file] = true
		if isSource(o.File) {
			return Usagef("--output %s=%s: the file is a source of a catalog and would be lost; name another", o.Format,
				o.File)
		}
	}
	return nil
}

// isSource reports whether there is a file that holds what people write, to
// judge by its name: a report in its place would be the end of it.
func isSource(file string) bool {
	if _, err := os.Stat(file); err != nil {
		return false
	}
	ext, base := strings.ToLower(filepath.Ext(file)), filepath.Base(file)
	return ext == ".mjs" || ext == ".db" || base == "registry.json" || base == "SKILL.md"
}

// Spare refuses an output that is one of the files that are read.
func (f *OutputFlags) Spare(paths []string) error {
	for _, o := range f.Output {
		out, err := os.Stat(o.File)
		if err != nil {
			continue
		}
		for _, p := range paths {
			if in, err := os.Stat(p); err == nil && os.SameFile(in, out) {
				return Usagef("--output %s=%s: the file is read too, and would be lost; name another", o.Format, o.File)
			}
		}
	}
	return nil
}

// Output is one place that results are written to.
type Output struct {
	Format  string
	Palette Palette // colours only on stdout
	Width   int     // of a terminal, which only stdout is
	io.Writer
}

// Outputs are all places that results are written to, stdout first.
type Outputs struct {
	All   []Output
	specs []OutputSpec // of files
	files []*atomicfile.File
}

// Open opens all outputs. The files exist only after Commit.
func (f *OutputFlags) Open(a *App) (*Outputs, error) {
	o := &Outputs{All: []Output{{f.Format, a.Palette, a.IO.Width, a.IO.Stdout}}}
	for _, spec := range f.Output {
		file, err := atomicfile.Create(spec.File, 0o666)
		if err != nil {
			o.Abort()
			return nil, fmt.Errorf("--output %s=%s: %w", spec.Format, spec.File, err)
		}
		o.files, o.specs = append(o.files, file), append(o.specs, spec)
		o.All = append(o.All, Output{Format: spec.Format, Writer: file})
	}
	return o, nil
}

// Commit puts all files in their places.
func (o *Outputs) Commit() error {
	var errs []error
	for _, f := range o.files {
		errs = append(errs, f.Commit())
	}
	return errors.Join(errs...)
}

// Drop throws away what was written to the files of a format, and names them.
func (o *Outputs) Drop(format string) (names []string) {
	for i := len(o.files) - 1; i >= 0; i-- {
		if o.specs[i].Format != format {
			continue
		}
		o.files[i].Abort()
		names = append(names, o.specs[i].File)
		o.files, o.specs = slices.Delete(o.files, i, i+1), slices.Delete(o.specs, i, i+1)
	}
	return names
}

// Abort throws away what was written to files. After Commit it does nothing,
// so that it can be deferred.
func (o *Outputs) Abort() {
	for _, f := range o.files {
		f.Abort()
	}
}
