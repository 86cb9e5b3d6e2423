package usage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Completer completes the words of a command as somebody types them. The scripts
// of the shells ask it, and show what it says.
type Completer struct {
	Root   *Command
	Getenv func(string) string
}

// line is what somebody has typed.
type line struct {
	*Completer
	command *Command
	flags   map[string][]string
	args    []string
	pending *Flag // whose value is the next word
	plain   bool  // after --
}

// candidate is a word that the shell may put in the place of the last one.
type candidate struct{ word, help string }

// answer is all that the shell gets to know.
type answer struct {
	list []candidate
	// What else the last word may be, from the column on: files, dirs or ""
	else_  string
	column int
}

// Complete says what the last of the words that follow the command's name may
// become: a line with each, its description after a tab, and a line ":files N" or
// ":dirs N" where the rest of it, after N characters, may name a file or a folder.
func (c *Completer) Complete(typed []string) string {
	l := &line{Completer: c, command: c.Root, flags: map[string][]string{}}
	typed = slices.Clone(typed)
	for i := range typed {
		typed[i] = c.unquote(typed[i])
	}
	last := ""
	if n := len(typed); n > 0 {
		typed, last = typed[:n-1], typed[n-1]
	}
	for _, word := range typed {
		l.take(word)
	}
	var b strings.Builder
	a := l.last(last)
	for _, c := range a.list {
		b.WriteString(c.word)
		if c.help != "" {
			b.WriteString("\t" + report.Visible(words.Clip(words.OneLine(c.help), maxHelp)))
		}
		b.WriteByte('\n')
	}
	if a.else_ != "" {
		fmt.Fprintf(&b, ":%s %d\n", a.else_, a.column)
	}
	return b.String()
}

// maxHelp is how much of a description fits beside a word.
const maxHelp = 100

// unquote is what the shell makes of a word: it hands them over as they are typed.
func (c *Completer) unquote(word string) string {
	if rest, ok := strings.CutPrefix(word, "~/"); ok && c.Getenv("HOME") != "" {
		word = c.Getenv("HOME") + "/" + rest
	}
	var b strings.Builder
	var quote rune
	escaped := false
	for _, r := range word {
		switch {
		case escaped:
			escaped = false
			b.WriteRune(r)
		case r == '\\' && quote != '\'':
			escaped = true
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		case r == quote:
			quote = 0
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// take takes a word that is complete.
func (l *line) take(word string) {
	switch name, isLong := strings.CutPrefix(word, "--"); {
	case l.pending != nil:
		l.flags[l.pending.Name] = append(l.flags[l.pending.Name], word)
		l.pending = nil
	case l.plain || word == "-" || !strings.HasPrefix(word, "-"):
		if sub := l.subcommand(word); sub != nil {
			l.command = sub
			return
		}
		l.args = append(l.args, word)
	case word == "--":
		l.plain = true
	case isLong:
		name, value, valued := strings.Cut(name, "=")
		l.give(l.flag(func(f Flag) bool { return f.Name == name }), value, valued)
	default:
		l.shorts(word[1:])
	}
}

// shorts takes short flags: -v, -vj3, -f text.
func (l *line) shorts(letters string) {
	for i, r := range letters {
		f := l.flag(func(f Flag) bool { return f.Short == r })
		rest := letters[i+len(string(r)):]
		if f != nil && !f.Alone {
			l.give(f, strings.TrimPrefix(rest, "="), rest != "")
			return
		}
		l.give(f, "", false)
	}
}

// give gives a flag, nil for none that there is, its value, or has the next word be it.
func (l *line) give(f *Flag, value string, valued bool) {
	switch {
	case f == nil:
	case valued || f.Alone:
		l.flags[f.Name] = append(l.flags[f.Name], value)
	default:
		l.pending = f
	}
}

func (l *line) flag(is func(Flag) bool) *Flag {
	flags := l.command.Flags()
	if i := slices.IndexFunc(flags, is); i >= 0 {
		return &flags[i]
	}
	return nil
}

// subcommand is the one of a name, nil where there is none or an argument came first.
func (l *line) subcommand(name string) *Command {
	if len(l.args) > 0 {
		return nil
	}
	i := slices.IndexFunc(l.command.Commands, func(c *Command) bool { return c.name() == name })
	if i < 0 {
		return nil
	}
	return l.command.Commands[i]
}

func (c *Command) name() string { return c.Words[len(c.Words)-1] }

// last completes the word that is being typed.
func (l *line) last(word string) answer {
	if l.pending != nil {
		return l.values(l.pending.Value, "", word)
	}
	if !l.plain && strings.HasPrefix(word, "-") {
		name, value, valued := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		if !valued {
			return answer{list: l.flagNames(word)}
		}
		if f := l.flag(func(f Flag) bool { return f.Name == name }); f != nil {
			return l.values(f.Value, strings.TrimSuffix(word, value), value)
		}
		return answer{}
	}
	var a answer
	if n := len(l.args); n < len(l.command.Args) {
		a = l.values(l.command.Args[n].Value, "", word)
	} else if n := len(l.command.Args); n > 0 && l.command.Args[n-1].Many {
		a = l.values(l.command.Args[n-1].Value, "", word)
	}
	if len(l.args) == 0 && !l.plain {
		for _, sub := range l.command.Commands {
			if strings.HasPrefix(sub.name(), word) {
				a.list = append(a.list, candidate{sub.name(), sub.Short})
			}
		}
	}
	return a
}

// flagNames are the flags that begin with what is typed and may still be given.
func (l *line) flagNames(word string) (list []candidate) {
	for _, f := range l.command.Flags() {
		if !strings.HasPrefix("--"+f.Name, word) || l.flags[f.Name] != nil && !f.Many {
			continue
		}
		list = append(list, candidate{"--" + f.Name, f.Help})
		if f.Alone && f.Value.Words != nil {
			for _, w := range f.Value.Words() {
				list = append(list, candidate{"--" + f.Name + "=" + w, f.Help})
			}
		}
	}
	return list
}
