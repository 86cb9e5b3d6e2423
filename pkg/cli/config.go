package cli

import (
	"fmt"
	"slices"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/config"
	"github.com/flowmcp/fmcp/pkg/words"
)

// JudgeFlags are the flags of commands that judge the files of a catalog: what
// they do not say, the configuration file does (docs/config.md).
type JudgeFlags struct {
	RuleFlags
	Config   string `group:"Rules" placeholder:"FILE" help:"Configuration file (default: .fmcp.yaml of the first path's folder, or of those above it up to the repository's)."`
	NoConfig bool   `group:"Rules" help:"Read no configuration file."`
}

// Configure reads the configuration file, nil if there is none, and completes
// the flags with it.
func (f *JudgeFlags) Configure(c *StreamCommand, paths []string) (*config.File, error) {
	file, err := f.complete(paths)
	if file != nil && c.FailOn == "" {
		c.FailOn = FailOn(file.FailOn)
	}
	return file, err
}

// complete is Configure for who has no --fail-on.
func (f *JudgeFlags) complete(paths []string) (*config.File, error) {
	file, err := f.read(paths)
	if err != nil {
		return nil, Usagef("%v", err)
	}
	if file == nil {
		return nil, nil
	}
	if f.Profile == "" {
		f.Profile = ProfileName(file.Profile)
	}
	if f.Spec == "" {
		f.Spec = SpecVersion(file.Spec)
	}
	f.Library = slices.Concat(file.Libraries, f.Library)
	return file, nil
}

func (f *JudgeFlags) read(paths []string) (*config.File, error) {
	switch {
	case f.Config != "" && f.NoConfig:
		return nil, fmt.Errorf("--config and --no-config exclude each other")
	case f.NoConfig:
		return nil, nil
	case f.Config != "":
		return config.Read(f.Config)
	}
	start := "."
	if len(paths) > 0 && paths[0] != "-" {
		start = paths[0]
	}
	name, err := config.Find(start)
	if err != nil || name == "" {
		return nil, err
	}
	return config.ReadFound(name)
}

// KnownFlags are the flags of a command that can leave out what is known.
type KnownFlags struct {
	Baseline       string `group:"Findings" placeholder:"FILE" help:"Leave out the findings that FILE lists."`
	WriteBaseline  bool   `group:"Findings" help:"Write all findings into the file of --baseline, whole or not at all, and report none."`
	MaxDiagnostics int    `group:"Findings" placeholder:"N" help:"Report N findings at most, and say how many more there are; the exit status counts all."`
}

// Known is what a run knows of findings: which are reported, and how many.
type Known struct {
	*config.Filter
	Max      int // findings to report, 0 for all
	Files    int // that were checked
	path     string
	write    bool
	baseline *config.Baseline
}

// Known completes the flags with the configuration file, which may be nil, and
// reads the baseline.
func (f *KnownFlags) Known(file *config.File) (*Known, error) {
	k := &Known{Max: f.MaxDiagnostics, path: f.Baseline, write: f.WriteBaseline}
	if k.Max < 0 {
		return nil, Usagef("--max-diagnostics is %d, expected a number from 1", k.Max)
	}
	if file != nil && k.Max == 0 {
		k.Max = file.MaxDiagnostics
	}
	strange := false
	if file != nil && k.path == "" {
		k.path = file.Baseline
		strange = file.Found
	}
	switch {
	case k.write && k.path == "":
		return nil, Usagef("--write-baseline needs to know which file: name it with --baseline")
	case k.write && strange:
		return nil, Usagef("--write-baseline: %s names the file %s, but lies with what is checked: name the file "+
			"with --baseline", file.Path, k.path)
	case k.write:
		k.baseline = config.NewBaseline()
	case k.path != "":
		var err error
		if k.baseline, err = config.ReadBaseline(k.path); err != nil {
			return nil, Usagef("%v; --write-baseline makes one", err)
		}
		if strange {
			k.baseline.Distrust()
		}
	}
	k.Filter = config.NewFilter(file, k.baseline)
	return k, nil
}

// Notes is what the summary of a run says beside its findings.
func (k *Known) Notes() []string {
	var notes []string
	if n := k.Left(); n > 0 {
		notes = append(notes, fmt.Sprintf("%s left out by the configuration", words.Count(n, "finding")))
	}
	if k.baseline == nil || k.write {
		return notes
	}
	taken, stale := k.baseline.Counts()
	if taken > 0 {
		notes = append(notes, fmt.Sprintf("%s known to %s", words.Count(taken, "finding"), k.path))
	}
	if stale > 0 {
		notes = append(notes, fmt.Sprintf("info: %s of %s did not come by, fixed or not looked at; --write-baseline "+
			"drops them", words.Count(stale, "finding"), k.path))
	}
	return notes
}

// Save writes the baseline of a run that looked at everything, where the user
// asked for it.
func (k *Known) Save(app *App, code int) error {
	switch {
	case !k.write:
		return nil
	case code == ExitFailure:
		return fmt.Errorf("%s was not written, since not all could be looked at", k.path)
	}
	file, err := atomicfile.Create(k.path, 0o666)
	if err != nil {
		return fmt.Errorf("--baseline: %w", err)
	}
	defer file.Abort()
	if _, err := k.baseline.WriteTo(file); err != nil {
		return err
	}
	if err := file.Commit(); err != nil {
		return fmt.Errorf("--baseline: %w", err)
	}
	taken, _ := k.baseline.Counts()
	fmt.Fprintf(app.IO.Stderr, "%s: %s knows %s now\n", app.Name, k.path, words.Count(taken, "finding"))
	return nil
}
