package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// parser reads a configuration and stops at its first mistake.
type parser struct {
	file  *File
	lines *module.Lines
}

func (p *parser) fail(offset int, format string, args ...any) *Error {
	line, col := p.lines.Position(offset)
	return &Error{Path: p.file.Path, Line: line, Col: col, Msg: fmt.Sprintf(format, args...)}
}

// expected is the mistake that v is not what stands here.
func (p *parser) expected(v ordjson.Value, key, what string) error {
	return p.fail(v.Pos(), "%s: found %s, expected %s", key, describe(v), what)
}

func describe(v ordjson.Value) string {
	switch v.Kind() {
	case ordjson.Null:
		return "nothing"
	case ordjson.Array:
		return "a list"
	case ordjson.Object:
		return "a mapping"
	}
	return ordjson.Text(v)
}

// keys are the keys of a configuration file.
var keys = map[string]func(*parser, ordjson.Value) error{
	"profile":         (*parser).profile,
	"spec":            (*parser).spec,
	"libraries":       (*parser).libraries,
	"fail-on":         (*parser).failOn,
	"max-diagnostics": (*parser).maxDiagnostics,
	"baseline":        (*parser).baseline,
	"rules":           (*parser).rules,
	"ignore":          (*parser).ignores,
	"keys":            (*parser).keyDomains,
	"env":             (*parser).env,
	"allow-hosts":     (*parser).allowHosts,
	"allow":           (*parser).allow,
	"deny":            (*parser).deny,
}

func (p *parser) document(v ordjson.Value) error {
	if v.Is(ordjson.Null) {
		return nil
	}
	if !v.Is(ordjson.Object) {
		return p.expected(v, Name, "a mapping such as profile: community")
	}
	known := slices.Sorted(maps.Keys(keys))
	for _, m := range v.Members() {
		read := keys[m.Key]
		if read == nil {
			return p.unknown(m, known)
		}
		if err := read(p, m.Value); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) unknown(m ordjson.Member, known []string) error {
	hint := words.DidYouMean(m.Key, known)
	if hint == "" {
		hint = "; known are " + strings.Join(known, ", ")
	}
	return p.fail(int(m.KeyPos), "unknown key %s%s", words.Quote(m.Key), hint)
}

// text reads a string that is not empty.
func (p *parser) text(v ordjson.Value, key, what string) (string, error) {
	if strings.TrimSpace(v.Str()) == "" {
		return "", p.expected(v, key, what)
	}
	return v.Str(), nil
}

// word reads one of some words.
func (p *parser) word(v ordjson.Value, key string, allowed ...string) (string, error) {
	if !slices.Contains(allowed, v.Str()) {
		return "", p.fail(v.Pos(), "%s: found %s, expected one of %s%s", key,
			describe(v), strings.Join(allowed, ", "), words.DidYouMean(v.Str(), allowed))
	}
	return v.Str(), nil
}

func (p *parser) profile(v ordjson.Value) error {
	word, err := p.word(v, "profile", string(rules.ProfileSpec), string(rules.ProfileCommunity))
	p.file.Profile = rules.Profile(word)
	return err
}

func (p *parser) spec(v ordjson.Value) error {
	text := v.Str()
	if n := v.NumberText(); n != "" {
		// 3.0 is a number to YAML, and that number is 3.
		if text = n; !strings.Contains(n, ".") {
			text += ".0"
		}
	}
	spec, err := rules.ParseSpec(text)
	if err != nil || text == "" {
		return p.expected(v, "spec", "a version of the specification: 4.2, 3.0 or 2.0")
	}
	p.file.Spec = spec
	return nil
}

func (p *parser) libraries(v ordjson.Value) error {
	const what = "a list of names of packages"
	if !v.Is(ordjson.Array) {
		return p.expected(v, "libraries", what)
	}
	for _, e := range v.Elems() {
		name, err := p.text(e, "libraries", "the name of a package")
		if err != nil {
			return err
		}
		p.unsafe("widens the allowlist of libraries (SEC020)", e.Pos())
		p.file.Libraries = append(p.file.Libraries, name)
	}
	return nil
}

func (p *parser) failOn(v ordjson.Value) error {
	word, err := p.word(v, "fail-on", "error", "warning", "info", "never")
	p.file.FailOn = word
	if word == "never" { // SEC findings would not count either
		p.unsafe("lowers fail-on below error", v.Pos())
	}
	return err
}

func (p *parser) maxDiagnostics(v ordjson.Value) error {
	n := int(min(v.Float(), 1<<30))
	if n < 1 || float64(n) != v.Float() {
		return p.expected(v, "max-diagnostics", "a number from 1")
	}
	p.file.MaxDiagnostics = n
	return nil
}

func (p *parser) baseline(v ordjson.Value) error {
	name, err := p.text(v, "baseline", "a path, relative to this file")
	if err != nil {
		return err
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(p.file.Path), filepath.FromSlash(name))
	}
	p.file.Baseline = name
	return nil
}

// code checks that a rule of that code reports something.
func (p *parser) code(code string, offset int) error {
	r, ok := rules.Lookup(code)
	switch {
	case !ok:
		return p.fail(offset, "there is no rule %s%s", words.Quote(code),
			words.DidYouMean(strings.ToUpper(code), rules.Codes()))
	case r.Replaced != "":
		return p.fail(offset, "the rule %s no longer exists: %s replaces it", code, r.Replaced)
	}
	return nil
}

// lowers notes that a finding of a code may go unnoticed.
func (p *parser) lowers(code string, offset int) {
	if rules.Security(code) {
		p.unsafe("lowers "+code, offset)
	}
}

// unsafe notes the first place that only the user may write (ReadFound).
func (p *parser) unsafe(what string, offset int) {
	if p.file.security == nil {
		p.file.security = p.fail(offset,
			"%s, which only a file that --config names may: name it, if you trust it", what)
	}
}

func (p *parser) rules(v ordjson.Value) error {
	if !v.Is(ordjson.Object) {
		return p.expected(v, "rules", "a mapping of codes such as CMP006: off")
	}
	p.file.Severities = map[string]record.Severity{}
	for _, m := range v.Members() {
		if err := p.code(m.Key, int(m.KeyPos)); err != nil {
			return err
		}
		word, err := p.word(m.Value, "rules."+m.Key, "off", "info", "warning", "error")
		if err != nil {
			return err
		}
		sev, _ := record.ParseSeverity(word) // is one of them
		if sev < record.SeverityError {
			p.lowers(m.Key, int(m.KeyPos))
		}
		p.file.Severities[m.Key] = sev
	}
	return nil
}

func (p *parser) ignores(v ordjson.Value) error {
	if !v.Is(ordjson.Array) {
		return p.expected(v, "ignore", "a list of entries with code, path or subject, and reason")
	}
	for _, e := range v.Elems() {
		if err := p.ignore(e); err != nil {
			return err
		}
	}
	return nil
}

var ignoreKeys = []string{"code", "path", "subject", "reason"}

func (p *parser) ignore(v ordjson.Value) error {
	if !v.Is(ordjson.Object) {
		return p.expected(v, "ignore", "an entry with code, path or subject, and reason")
	}
	for _, m := range v.Members() {
		if !slices.Contains(ignoreKeys, m.Key) {
			return p.unknown(m, ignoreKeys)
		}
	}
	for _, key := range []string{"code", "reason"} {
		if !v.Get(key).Exists() {
			return p.fail(v.Pos(), "ignore: an entry has no %s, expected code, path or subject, and reason", key)
		}
	}
	var ig Ignore
	var err error
	if ig.Code, err = p.text(v.Get("code"), "ignore.code", "the code of a rule"); err != nil {
		return err
	}
	if err := p.code(ig.Code, v.Get("code").Pos()); err != nil {
		return err
	}
	if ig.Reason, err = p.text(v.Get("reason"), "ignore.reason", "why the finding is not a fault"); err != nil {
		return err
	}
	if ig.Path, err = p.glob(v.Get("path"), "ignore.path"); err != nil {
		return err
	}
	if ig.Subject, err = p.glob(v.Get("subject"), "ignore.subject"); err != nil {
		return err
	}
	if ig.Path == nil && ig.Subject == nil {
		return p.fail(v.Pos(), "ignore: an entry has neither path nor subject; to switch %s off everywhere write "+
			"rules: {%s: off}", ig.Code, ig.Code)
	}
	p.lowers(ig.Code, v.Get("code").Pos())
	p.file.Ignores = append(p.file.Ignores, ig)
	return nil
}

func (p *parser) allow(v ordjson.Value) (err error) {
	p.file.Allow, err = p.texts(v, "allow", "a list of Spec-IDs, or globs such as coingecko/*")
	return err
}

func (p *parser) deny(v ordjson.Value) (err error) {
	p.file.Deny, err = p.texts(v, "deny", "a list of Spec-IDs, or globs such as */tool/delete*")
	return err
}

// glob reads a pattern; nil if there is none.
func (p *parser) glob(v ordjson.Value, key string) (*walk.Glob, error) {
	if !v.Exists() {
		return nil, nil
	}
	text, err := p.text(v, key, "a glob")
	if err != nil {
		return nil, err
	}
	g, err := walk.NewGlob(text)
	if err != nil {
		return nil, p.fail(v.Pos(), "%s: %v", key, err)
	}
	return &g, nil
}
