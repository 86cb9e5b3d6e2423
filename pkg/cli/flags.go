package cli

import (
	"cmp"
	"errors"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Common are the flags of every command.
type Common struct {
	Color   ColorMode `group:"General" default:"auto" placeholder:"WHEN" help:"Colours: auto, always or never; auto follows FORCE_COLOR, NO_COLOR and TERM"`
	Help    helpFlag  `group:"General" short:"h" help:"Show this help"`
	Version bool      `group:"General" help:"Show the version"`

	Completion Shell  `group:"General" placeholder:"SHELL" help:"Print the completion script of this command for a shell: bash, zsh or fish"`
	Man        string `group:"General" hidden:"" placeholder:"DIR" help:"Write the man pages of this command to a folder"`
}

func (c *Common) common() *Common { return c }

var errHelp = errors.New("help is wanted")

// helpFlag stops parsing before anything is required.
type helpFlag bool

// BeforeReset is called by the flag library where the flag is given.
func (helpFlag) BeforeReset() error { return errHelp }

// StreamFlags are the flags of commands that read a stream of records.
type StreamFlags struct {
	Jobs       int  `group:"Stream" short:"j" placeholder:"N" help:"Records worked on at the same time (default, and 0: one per processor)"`
	MaxLine    Size `group:"Stream" default:"16MiB" placeholder:"SIZE" help:"Longest line that is read; a longer one becomes an error record"`
	AllowEmpty bool `group:"Stream" help:"Input without anything for the command is not a failure"`
	RequireEnd bool `group:"Output" help:"Refuse input without a correct end record: it may have been cut off"`
}

// EndFlag is of commands whose stream mostly is the last.
type EndFlag struct {
	End bool `group:"Output" help:"Close the stream with an end record, which counts what is in it"`
}

// maxJobs bounds --jobs: each job may hold a line of --max-line.
const maxJobs = 1024

func (f *StreamFlags) streamFlags() *StreamFlags { return f }

func (f *StreamFlags) check(a *App) error {
	if f.Jobs < 0 || f.Jobs > maxJobs {
		return Usagef("--jobs is %d, expected 1 to %d, or 0 for the default", f.Jobs, maxJobs)
	}
	if f.Jobs == 0 {
		f.Jobs = a.jobs()
	}
	return nil
}

// jobs is the default of --jobs. The commands of a pipe run at the same time,
// and with as many jobs as processors each they would get in each other's way;
// the one that does most of the work may.
func (a *App) jobs() int {
	switch n := runtime.GOMAXPROCS(0); {
	case a.Jobs > 0:
		return a.Jobs
	case a.IO.Piped && !a.Heaviest:
		return max(1, n/2)
	default:
		return n
	}
}

// FailFlag is of commands whose exit status says what they found.
type FailFlag struct {
	FailOn FailOn `group:"Findings" placeholder:"SEVERITY" help:"Least severity that makes the exit status 1: error, warning, info or never (default: error)"`
}

// FailFlags are the flags of commands that report findings.
type FailFlags struct {
	FailFlag
	Summary SummaryMode `group:"Findings" default:"auto" placeholder:"WHEN" help:"Count findings by code on stderr: auto, always or never; auto is on a terminal that does not show them."`
}

// SummaryMode is the value of --summary.
type SummaryMode string

// Words implements Chooser.
func (*SummaryMode) Words() []string { return []string{"auto", "always", "never"} }

// UnmarshalText reads when to summarise.
func (m *SummaryMode) UnmarshalText(text []byte) error { return choose(m, string(text), m.Words()) }

// FailOn is the value of --fail-on; "" is error.
type FailOn string

var failOnValues = []string{"error", "warning", "info", "never"}

// Words implements Chooser.
func (*FailOn) Words() []string { return failOnValues }

// UnmarshalText reads a severity or "never".
func (f *FailOn) UnmarshalText(text []byte) error { return choose(f, string(text), failOnValues) }

// Fails reports whether a finding of the severity makes the exit status 1.
func (f FailOn) Fails(found record.Severity) bool {
	least, err := record.ParseSeverity(cmp.Or(string(f), failOnValues[0]))
	return err == nil && found >= least
}

// choose sets a flag to one of the words that it takes.
func choose[T ~string](target *T, word string, allowed []string) error {
	if err := checkChoice(word, allowed); err != nil {
		return err
	}
	*target = T(word)
	return nil
}

func checkChoice(word string, allowed []string) error {
	if slices.Contains(allowed, word) {
		return nil
	}
	return Usagef("%q is not one of %s%s", word, strings.Join(allowed, ", "), words.DidYouMean(word, allowed))
}

// Size is a number of bytes.
type Size int

var sizeUnits = map[string]float64{
	"": 1, "b": 1,
	"k": 1 << 10, "m": 1 << 20, "g": 1 << 30,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
	"kb": 1e3, "mb": 1e6, "gb": 1e9,
}

// UnmarshalText reads a size as GNU tools do: 4096, 64k or 64KiB (of 1024),
// 64KB (of 1000); fractions such as 1.5M are allowed, zero is not.
func (s *Size) UnmarshalText(text []byte) error {
	n, err := parseSize(text)
	switch {
	case err != nil:
		return err
	case n > math.MaxInt32:
		return Usagef("%s is more than 2 GiB", text)
	}
	*s = Size(n)
	return nil
}

// FileSize is a number of bytes on a disk, which may be more than fits into
// memory.
type FileSize int64

// UnmarshalText reads a size as that of Size does.
func (s *FileSize) UnmarshalText(text []byte) error {
	n, err := parseSize(text)
	switch {
	case err != nil:
		return err
	case n > 1<<50:
		return Usagef("%s is more than 1048576 GiB", text)
	}
	*s = FileSize(n)
	return nil
}

func parseSize(text []byte) (float64, error) {
	digits := strings.TrimRight(string(text), "bBiIkKmMgG ")
	unit, known := sizeUnits[strings.ToLower(strings.TrimSpace(string(text[len(digits):])))]
	n, err := strconv.ParseFloat(digits, 64)
	if !known || err != nil || strings.Trim(digits, "0123456789.") != "" || n*unit < 1 {
		return 0, Usagef("%q is not a size, expected a number of bytes such as 65536, 512k or 16MiB", text)
	}
	return n * unit, nil
}

// OrAll is the value of a flag that means the usual things where it has no value, and
// all where it is =all.
type OrAll string

// The values of OrAll; "" is that of a flag that is not given.
const (
	Usual OrAll = "usual"
	All   OrAll = "all"
)

// IsBool says that the flag may stand alone.
func (o *OrAll) IsBool() bool { return true }

// Words implements Chooser.
func (o *OrAll) Words() []string { return []string{string(All)} }

// Decode reads the value.
func (o *OrAll) Decode(ctx *kong.DecodeContext) error {
	*o = Usual
	if ctx.Scan.Peek().Type == kong.FlagValueToken {
		return choose(o, ctx.Scan.Pop().String(), o.Words())
	}
	return nil
}
