package secret

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/words"
)

// Env holds the server parameters: where their values come from, and to which
// registrable domain each may go (docs/keys.md). It does not change once calls
// are made.
type Env struct {
	sources []envSource // the first that has a value wins
	named   []string    // names and globs of variables that are read
	getenv  func(string) string
	bound   map[string][]string         // domains that the user binds a key to
	askers  []func(key string) []string // domains whose schemas ask for a key
	domain  string                      // that Lookup answers for
	standIn bool                        // the values are not secrets
}

// envSource is a file, or the environment. A name in it is KEY or KEY@domain.
type envSource struct {
	name   string
	lookup func(name string) string // "" for not set
	names  []string                 // of a file
}

// EnvOptions say where server parameters come from, each in the order in which
// the last wins. What stands further up wins over what is below.
type EnvOptions struct {
	Files  []string            // that the user names for this run
	Names  []string            // variables of the environment that may be read, or globs
	Found  []string            // files that need not be there: of the home folder, of the project
	Bound  map[string][]string // key to domains that its value may go to
	Getenv func(string) string // os.Getenv in a command
}

// NewEnv reads the env files. The errors are of usage and show no value.
func NewEnv(o EnvOptions) (*Env, error) {
	e := &Env{named: o.Names, getenv: o.Getenv, bound: o.Bound}
	add := func(name string, values map[string]string) {
		source := envSource{name: name, lookup: func(key string) string { return values[key] }}
		for key := range values {
			source.names = append(source.names, key)
		}
		e.sources = append(e.sources, source)
	}
	for _, name := range slices.Backward(o.Files) {
		values, err := readEnvFile(name)
		if err != nil {
			return nil, err
		}
		add(name, values)
	}
	e.sources = append(e.sources, envSource{name: "environment", lookup: e.variable})
	for _, name := range slices.Backward(o.Found) {
		values, err := readEnvFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		add(name, values)
	}
	return e, nil
}

// variable is the value of a variable that the user has named: a schema names
// what it likes, and must not be able to choose among all that is there.
func (e *Env) variable(key string) string {
	if !slices.ContainsFunc(e.named, func(glob string) bool { ok, _ := path.Match(glob, key); return ok }) {
		return ""
	}
	return e.getenv(key)
}

// AskedBy tells which registrable domains have schemas that ask for a key. Where
// there are several, none of them gets it before the user binds it.
func (e *Env) AskedBy(domains func(key string) []string) { e.askers = append(e.askers, domains) }

// For answers for the schemas of a registrable domain.
func (e *Env) For(domain string) *Env {
	if e == nil {
		return nil
	}
	view := *e
	view.domain = domain
	return &view
}

// Lookup returns the value of a server parameter and whether there is one that
// may go to the domain.
func (e *Env) Lookup(key string) (string, bool) {
	value, _ := e.Find(key)
	return value, value != ""
}

// Find is Lookup with the name of the source.
func (e *Env) Find(key string) (value, source string) {
	if e == nil || strings.Contains(key, "@") { // a schema must not name what is bound
		return "", ""
	}
	free := e.mayHave(key)
	for _, s := range e.sources {
		if v := s.lookup(key + "@" + e.domain); v != "" {
			return v, s.name
		}
		if v := s.lookup(key); v != "" && free {
			return v, s.name
		}
	}
	return "", ""
}

// mayHave says whether a value that names no domain may go to this one.
func (e *Env) mayHave(key string) bool {
	if domains, ok := e.bound[key]; ok {
		return slices.Contains(domains, e.domain)
	}
	return e.standIn || len(e.Domains(key)) < 2
}

// Domains are those whose schemas ask for a key, in order.
func (e *Env) Domains(key string) []string {
	if e == nil {
		return nil
	}
	var all []string
	for _, ask := range e.askers {
		all = append(all, ask(key)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// values are all that a key has, whatever they are bound to: none may be shown.
func (e *Env) values(key string) []string {
	if e == nil {
		return nil
	}
	var all []string
	for _, s := range e.sources {
		names := []string{key}
		for _, name := range s.names {
			if strings.HasPrefix(name, key+"@") {
				names = append(names, name)
			}
		}
		for _, name := range names {
			if v := s.lookup(name); v != "" {
				all = append(all, v)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Names are the names in the env files, without the domains that they are bound
// to: what a misspelt one is looked for in.
func (e *Env) Names() []string {
	var all []string
	for _, s := range e.sources {
		for _, name := range s.names {
			name, _, _ = strings.Cut(name, "@")
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// KeyState is what there is of a server parameter.
type KeyState int

// String is the word for a state.
func (s KeyState) String() string { return [...]string{"set", "unbound", "unnamed", "missing"}[s] }

// The states of a key.
const (
	KeySet     KeyState = iota
	KeyUnbound          // it has a value, which goes to none or to other domains
	KeyUnnamed          // the environment has a variable of that name, which was not named
	KeyMissing
)

// State is what there is of a key for the domain.
func (e *Env) State(key string) KeyState {
	if e == nil {
		return KeyMissing
	}
	_, set := e.Lookup(key)
	switch {
	case set:
		return KeySet
	case len(e.values(key)) > 0:
		return KeyUnbound
	case e.getenv != nil && e.getenv(key) != "":
		return KeyUnnamed
	}
	return KeyMissing
}

// Advice says what to do about keys without a value, in one line; it is "" where
// all have one.
func (e *Env) Advice(keys []string) string {
	by := map[KeyState][]string{}
	for _, key := range keys {
		state := e.State(key)
		if state == KeySet {
			continue
		}
		by[state] = append(by[state], key)
	}
	var parts []string
	for _, key := range by[KeyUnbound] {
		parts = append(parts, e.unbound(key))
	}
	if unnamed := by[KeyUnnamed]; unnamed != nil {
		them := "it"
		if len(unnamed) > 1 {
			them = "them"
		}
		parts = append(parts, serverParams(unnamed)+" set in the environment; name "+them+": --env "+
			strings.Join(unnamed, " --env "))
	}
	if missing := by[KeyMissing]; missing != nil {
		parts = append(parts, serverParams(missing)+" not set: write "+e.entry(missing[0])+"=… into .flowmcp/.env, or "+
			"into a file that --env-file names")
	}
	return strings.Join(parts, "; ")
}

// serverParams is the beginning of a sentence about keys.
func serverParams(keys []string) string {
	if len(keys) > 1 {
		return "server parameters " + strings.Join(keys, ", ") + " are"
	}
	return "server parameter " + keys[0] + " is"
}

// unbound says why a key that has a value does not go to the domain, and the one
// line that lets it.
func (e *Env) unbound(key string) string {
	bound := slices.Clone(e.bound[key])
	for _, s := range e.sources {
		for _, name := range s.names {
			if to, ok := strings.CutPrefix(name, key+"@"); ok {
				bound = append(bound, to)
			}
		}
	}
	slices.Sort(bound)
	why := "is bound to " + words.List(slices.Compact(bound))
	if bound == nil {
		why = "is asked for by schemas of " + words.List(e.Domains(key))
	}
	return "server parameter " + key + " " + why + ", and does not go to " + e.domain +
		" before you bind it: if it is their key, write " +
		key + "@" + e.domain + "=… into the env file"
}

// entry is the name under which an env file has a key for the domain.
func (e *Env) entry(key string) string {
	if len(e.Domains(key)) > 1 {
		return key + "@" + e.domain
	}
	return key
}

// Missing are those of the keys that have no value that may go to the domain.
func (e *Env) Missing(keys []string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool { _, ok := e.Lookup(key); return ok })
}

// StandIns is an Env in which every server parameter is set, to a text that
// stands for it: answers that are replayed need no keys.
func StandIns() *Env {
	lookup := func(name string) string {
		if strings.Contains(name, "@") { // of what no binding is known
			return ""
		}
		return "replayed-" + strings.ToLower(strings.ReplaceAll(name, "_", "-"))
	}
	return &Env{sources: []envSource{{lookup: lookup}}, standIn: true}
}
