package walk

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Glob is a pattern for slash paths, as --include, --exclude and the
// configuration file take them.
type Glob struct {
	pattern  string
	anywhere bool // without a slash: matches names in every folder
}

// NewGlob checks a pattern.
func NewGlob(pattern string) (Glob, error) {
	if !doublestar.ValidatePattern(pattern) || strings.Trim(pattern, "/") == "" {
		return Glob{}, fmt.Errorf(`%q is not a glob: expected a pattern such as "providers/etherscan/**" or "*.{mjs,`+
			`md}", with every [ and { closed`, pattern)
	}
	if alternatives(pattern) > maxAlternatives {
		return Glob{}, fmt.Errorf("%q stands for more than %d patterns: use fewer commas in braces", pattern,
			maxAlternatives)
	}
	body := strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	return Glob{pattern: strings.TrimPrefix(body, "/"), anywhere: !strings.Contains(body, "/")}, nil
}

// maxAlternatives is how many patterns one with braces may stand for: each of
// them may have to be tried.
const maxAlternatives = 1000

// alternatives is an upper bound of the patterns that braces stand for: each
// comma in a pair adds one, pairs beside and inside of each other multiply.
func alternatives(pattern string) int {
	n := 1
	for group := range strings.SplitSeq(pattern, "{") {
		if n *= 1 + strings.Count(group, ","); n > maxAlternatives {
			break
		}
	}
	return n
}

// Match reports whether the glob matches the slash path p.
func (g Glob) Match(p string) bool {
	if g.anywhere {
		p = path.Base(p)
	}
	return doublestar.MatchUnvalidated(g.pattern, p)
}

// MatchWithin reports whether the glob matches p or a folder that p is in.
func (g Glob) MatchWithin(p string) bool {
	for ; p != "." && p != "/"; p = path.Dir(p) {
		if g.Match(p) {
			return true
		}
	}
	return false
}

// compileGlobs checks the patterns of the flag name.
func compileGlobs(name string, patterns []string) ([]Glob, error) {
	var list []Glob
	for _, p := range patterns {
		g, err := NewGlob(p)
		if err != nil {
			return nil, fmt.Errorf("--%s %w", name, err)
		}
		list = append(list, g)
	}
	return list, nil
}

// matchAny reports whether a glob matches the slash path p.
func matchAny(list []Glob, p string) bool {
	return slices.ContainsFunc(list, func(g Glob) bool { return g.Match(p) })
}

// ignoreFile is a .gitignore file and those of the folders above it. The nil
// ignoreFile ignores nothing.
type ignoreFile struct {
	strip  int    // the bytes of a path relative to the root that lead to this file's folder
	prefix string // for a folder above the root: the way from there to the root, with slash
	rules  []ignoreRule
	outer  *ignoreFile
}

// ignoreRule is a line of a .gitignore file.
type ignoreRule struct {
	pattern string
	literal bool // pattern has no wildcards
	base    bool // matches the name alone, in any folder
	negate  bool
	folders bool // matches folders only
}

// ignored reports whether the slash path p, relative to the root, is ignored:
// the last rule of the innermost file that matches it decides.
func (f *ignoreFile) ignored(p string, isFolder bool) bool {
	base := path.Base(p)
	for ; f != nil; f = f.outer {
		rel := f.prefix + p[f.strip:]
		for i := len(f.rules) - 1; i >= 0; i-- {
			if f.rules[i].match(rel, base, isFolder) {
				return !f.rules[i].negate
			}
		}
	}
	return false
}

func (r *ignoreRule) match(p, base string, isFolder bool) bool {
	if r.folders && !isFolder {
		return false
	}
	if r.base {
		p = base
	}
	if r.literal {
		return p == r.pattern
	}
	return doublestar.MatchUnvalidated(r.pattern, p)
}

// enter adds the .gitignore file of a folder, if there is one: open is where
// the folder can be opened, p its slash path relative to the root.
func (f *ignoreFile) enter(open, p string) *ignoreFile {
	rules := readIgnore(open)
	if len(rules) == 0 {
		return f
	}
	strip := 0
	if p != "" {
		strip = len(p) + 1
	}
	return &ignoreFile{strip: strip, rules: rules, outer: f}
}

// ignoresAbove returns the .gitignore files that apply to the real path root
// from above it: those of its repository, which may be nil.
func ignoresAbove(root string, repo *repository) *ignoreFile {
	if repo == nil {
		return nil
	}
	var f *ignoreFile
	for dir := repo.top; dir != root; {
		rest := strings.TrimPrefix(strings.TrimPrefix(root, dir), string(filepath.Separator))
		if rules := readIgnore(dir); len(rules) > 0 {
			f = &ignoreFile{prefix: filepath.ToSlash(rest) + "/", rules: rules, outer: f}
		}
		next, _, _ := strings.Cut(rest, string(filepath.Separator))
		dir = filepath.Join(dir, next)
	}
	return f
}

// maxIgnore is how much of a .gitignore is read, in bytes.
const maxIgnore = 1 << 20

// readIgnore reads the .gitignore file of a folder. One that cannot be read
// ignores nothing, as with git.
func readIgnore(dir string) []ignoreRule {
	text, err := ReadFile(filepath.Join(dir, ".gitignore"), maxIgnore)
	if err != nil {
		return nil
	}
	return parseIgnore(string(text))
}

func parseIgnore(text string) []ignoreRule {
	var rules []ignoreRule
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\uFEFF"), "\n") {
		if r, ok := parseIgnoreLine(strings.TrimSuffix(line, "\r")); ok {
			rules = append(rules, r)
		}
	}
	return rules
}

// parseIgnoreLine reads a line as gitignore(5) describes it.
func parseIgnoreLine(line string) (ignoreRule, bool) {
	var r ignoreRule
	if strings.HasPrefix(line, "#") {
		return r, false
	}
	line = trimSpaces(line)
	line, r.negate = strings.CutPrefix(line, "!")
	line, r.folders = strings.CutSuffix(line, "/")
	r.base = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return r, false
	}
	r.literal = !strings.ContainsAny(line, `*?[\`)
	if r.pattern = line; !r.literal {
		r.pattern = translate(line)
	}
	return r, true
}

// trimSpaces removes trailing spaces but not one that a backslash quotes.
func trimSpaces(s string) string {
	end := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			end = i + 1
		case s[i] != ' ':
			end = i + 1
		}
	}
	return s[:end]
}

// translate writes a gitignore pattern as a doublestar one: braces mean
// nothing to git, and a trailing /** matches what is in a folder but not the
// folder itself.
func translate(p string) string {
	b := make([]byte, 0, len(p)+8)
	for i := 0; i < len(p); i++ {
		switch c := p[i]; c {
		case '\\':
			b = append(b, c)
			if i++; i < len(p) {
				b = append(b, p[i])
			}
		case '{', '}':
			b = append(b, '\\', c)
		case '[':
			var class string
			class, i = translateClass(p, i)
			b = append(b, class...)
		case '*':
			end := i
			for end < len(p) && p[end] == '*' {
				end++
			}
			if end-i > 1 && (i == 0 || p[i-1] == '/') && (end == len(p) || p[end] == '/') {
				b = append(b, "**"...)
				if end == len(p) && i > 0 {
					b = append(b, "/*"...)
				}
			} else {
				b = append(b, '*')
			}
			i = end - 1
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// classNames are the POSIX classes of bracket expressions.
var classNames = map[string]string{
	"alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": " \t", "digit": "0-9", "lower": "a-z",
	"upper": "A-Z", "xdigit": "0-9a-fA-F", "space": " \t\n\v\f\r", "punct": "!-.:-@\\[-`{-~",
}

// translateClass writes the bracket expression at p[i] for doublestar and
// returns the index of its last byte. One that is not closed is kept: it
// matches nothing, in either language.
func translateClass(p string, i int) (string, int) {
	b := []byte{'['}
	i++
	if i < len(p) && (p[i] == '!' || p[i] == '^') {
		b = append(b, '^')
		i++
	}
	for first := true; i < len(p); first = false {
		switch {
		case p[i] == ']' && !first:
			return string(append(b, ']')), i
		case p[i] == '[' && i+1 < len(p) && p[i+1] == ':':
			name, _, closed := strings.Cut(p[i+2:], ":]")
			if set, known := classNames[name]; closed && known {
				b = append(b, set...)
				i += len(name) + 4
				continue
			}
			b = append(b, `\[`...)
		case p[i] == '\\' && i+1 < len(p):
			b = append(b, '\\', p[i+1])
			i++
		case p[i] == ']' || p[i] == '[':
			b = append(b, '\\', p[i])
		default:
			b = append(b, p[i])
		}
		i++
	}
	return string(b), i
}
