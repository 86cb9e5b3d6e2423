package config

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Sending says who may be called with which keys. A file that the user did not
// name does not decide that: it is read only if the user names the file, and in
// the .flowmcp folder of the home folder.
type Sending struct {
	Keys       map[string][]string // registrable domains that a key may go to
	Env        []string            // variables of the environment that are read, or globs
	AllowHosts []string            // HOST or HOST:PORT
}

// add takes what another file says: its bindings win, its lists are added.
func (s *Sending) add(o Sending) {
	if s.Keys == nil {
		s.Keys = map[string][]string{}
	}
	maps.Copy(s.Keys, o.Keys)
	s.Env, s.AllowHosts = append(s.Env, o.Env...), append(s.AllowHosts, o.AllowHosts...)
}

// With is what both say; of two bindings of a key that of o counts.
func (s Sending) With(o Sending) Sending {
	var all Sending
	all.add(s)
	all.add(o)
	return all
}

func (p *parser) keyDomains(v ordjson.Value) error {
	const what = "a mapping of keys to registrable domains such as API_KEY: [ example.com ]"
	if !v.Is(ordjson.Object) {
		return p.expected(v, "keys", what)
	}
	p.file.Keys = map[string][]string{}
	for _, m := range v.Members() {
		list, err := p.texts(m.Value, "keys."+m.Key, "a list of registrable domains such as [ example.com ]")
		if err != nil {
			return err
		}
		for i, name := range list {
			if domain.Of(name) != name {
				return p.fail(m.Value.Elems()[i].Pos(), "keys.%s: found %s, expected a registrable domain: %s",
					m.Key, words.Quote(name), domain.Of(name))
			}
		}
		p.file.Keys[m.Key] = list
	}
	return nil
}

func (p *parser) env(v ordjson.Value) (err error) {
	p.file.Env, err = p.texts(v, "env", "a list of names of variables, or globs")
	return err
}

func (p *parser) allowHosts(v ordjson.Value) (err error) {
	p.file.AllowHosts, err = p.texts(v, "allow-hosts", "a list of HOST or HOST:PORT")
	return err
}

// texts reads a list of strings.
func (p *parser) texts(v ordjson.Value, key, what string) ([]string, error) {
	if !v.Is(ordjson.Array) {
		return nil, p.expected(v, key, what)
	}
	var list []string
	for _, e := range v.Elems() {
		text, err := p.text(e, key, what)
		if err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, nil
}

// Folder is the folder of settings, of a project and in the home folder, and
// settingsName a file in it, which the reference writes too.
const (
	Folder       = ".flowmcp"
	settingsName = "config.json"
	envName      = ".env"
)

// Settings is what the .flowmcp folders say.
type Settings struct {
	Sending
	EnvFiles  []string // that need not be there; the last wins
	Libraries []string // security.allowedLibraries (chapter 05, "Library Allowlist")
}

// ReadSettings reads the .flowmcp folders of the home folder, "" for none, and
// of the project, which is the current folder. A catalog cannot allow itself
// libraries: if the project's folder is in one of the paths, or there are no
// paths to tell by, the libraries that it allows do not count.
func ReadSettings(home string, project bool, paths []string) (*Settings, error) {
	s := &Settings{}
	if home != "" {
		if err := s.readHome(filepath.Join(home, Folder)); err != nil {
			return nil, err
		}
		if homeInfo, err := os.Stat(filepath.Join(home, Folder)); err == nil && project {
			own, err := os.Stat(Folder)
			project = err != nil || !os.SameFile(homeInfo, own)
		}
	}
	if !project {
		return s, nil
	}
	for _, name := range []string{Folder, filepath.Join(Folder, envName), filepath.Join(Folder, settingsName)} {
		// It may have come with the project, and lead to the keys of another,
		// or be a pipe without a writer.
		info, err := os.Lstat(name)
		if err != nil {
			continue
		}
		what := "is not a regular file, and is not read"
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			what = "is a link, and is not followed"
		case info.IsDir(), info.Mode().IsRegular():
			continue
		}
		return nil, &Error{Path: name,
			Msg: what + ": name the file by --env-file or --config, or leave it alone by --settings home"}
	}
	s.EnvFiles = append(s.EnvFiles, filepath.Join(Folder, envName))
	file, _, err := readSettings(filepath.Join(Folder, settingsName))
	if err == nil && file != nil && outside(paths) {
		s.Libraries = append(s.Libraries, file.Libraries...)
	}
	return s, err
}

func (s *Settings) readHome(dir string) error {
	file, envPath, err := readSettings(filepath.Join(dir, settingsName))
	if err != nil {
		return err
	}
	if envPath == "" {
		envPath = filepath.Join(dir, envName)
	} else if rest, ok := strings.CutPrefix(envPath, "~/"); ok {
		envPath = filepath.Join(filepath.Dir(dir), rest)
	}
	s.EnvFiles = append(s.EnvFiles, envPath)
	if file != nil {
		s.Sending, s.Libraries = file.Sending, file.Libraries
	}
	return nil
}

// outside reports whether the project's folder is in none of the paths.
func outside(paths []string) bool {
	own, err := filepath.Abs(Folder)
	return err == nil && len(paths) > 0 && !slices.ContainsFunc(paths, func(path string) bool {
		abs, err := filepath.Abs(path)
		if err != nil || path == "-" {
			return true
		}
		rel, err := filepath.Rel(abs, own)
		return err != nil || filepath.IsLocal(rel)
	})
}

// readSettings reads a config.json; nil if there is none. Other members of the
// reference's file (schemaFolders, groups) are ignored.
func readSettings(path string) (file *File, envPath string, err error) {
	// A home folder that may not be entered, as a service's, has none to show.
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil, "", nil
	}
	text, err := readText(path, maxSettings)
	if err != nil {
		return nil, "", err
	}
	p := &parser{file: &File{Path: path}, lines: module.NewLines(text)}
	v, err := ordjson.Parse(text)
	if err != nil {
		return nil, "", &Error{Path: path, Msg: "is not JSON: " + err.Error()}
	}
	for key, read := range map[string]func(*parser, ordjson.Value) error{"keys": (*parser).keyDomains,
		"env": (*parser).env, "allow-hosts": (*parser).allowHosts} {
		if at := v.Get(key); at.Exists() {
			if err := read(p, at); err != nil {
				return nil, "", err
			}
		}
	}
	if list := v.Get("security").Get("allowedLibraries"); list.Exists() {
		if p.file.Libraries, err = p.texts(list, "security.allowedLibraries",
			"a list of names of packages"); err != nil {
			return nil, "", err
		}
	}
	return p.file, v.Get("envPath").Str(), nil
}

const maxSettings = 1 << 20
