package usage

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
)

// WritePages writes the man page of a command, and that of each subcommand, into
// a folder: fmcp-exec.1, fmcp-exec-resource-create.1.
func (c *Command) WritePages(dir string, of Release) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	file, err := atomicfile.Create(filepath.Join(dir, c.pageName()+".1"), 0o666)
	if err != nil {
		return err
	}
	defer file.Abort()
	if _, err := file.Write([]byte(c.page(of))); err != nil {
		return err
	}
	if err := file.Commit(); err != nil {
		return err
	}
	for _, sub := range c.Commands {
		if err := sub.WritePages(dir, of); err != nil {
			return err
		}
	}
	return nil
}

// pageName is what man is asked for.
func (c *Command) pageName() string { return strings.Join(c.Words, "-") }

// Release is what man pages belong to.
type Release struct{ Name, Date string }

// page is the man page in roff (man(7)).
func (c *Command) page(of Release) string {
	var p roff
	p.title(c.pageName(), of)
	p.line(".SH", "NAME")
	p.text(c.pageName() + " - " + strings.TrimSuffix(c.Short, "."))
	p.line(".SH", "SYNOPSIS")
	for i, line := range c.Usage {
		if i > 0 {
			p.line(".br")
		}
		p.text(line)
	}
	p.line(".SH", "DESCRIPTION")
	p.text(c.Short)
	if c.Long != "" {
		p.line(".PP")
		p.text(c.Long)
	}
	if len(c.Commands) > 0 {
		p.line(".SH", "COMMANDS")
	}
	for _, sub := range c.Commands {
		p.item(strings.Join(sub.Words[1:], " "), sub.Short)
	}
	if len(c.Args) > 0 {
		p.line(".SH", "ARGUMENTS")
	}
	for _, a := range c.Args {
		p.item(a.Title, a.Help)
	}
	p.line(".SH", "OPTIONS")
	for _, g := range c.Groups {
		p.line(".SS", g.Title)
		for _, f := range g.Flags {
			p.item(strings.TrimSpace(f.Title), f.Help)
		}
	}
	p.line(".SH", "EXIT STATUS")
	for _, e := range c.Exits {
		p.item(e[0], e[1])
	}
	if len(c.Examples) > 0 {
		p.line(".SH", "EXAMPLES")
	}
	for i, e := range c.Examples {
		if i > 0 {
			p.line(".PP")
		}
		p.text(e.What + ":")
		p.line(".PP")
		p.line(".RS", "4")
		p.line(".EX")
		p.text(e.Command)
		p.line(".EE")
		p.line(".RE")
	}
	p.seeAlso(c)
	return p.String()
}

// seeAlso names the pages of the commands above and below.
func (p *roff) seeAlso(c *Command) {
	var pages []string
	if n := len(c.Words) - 1; n > 0 {
		pages = append(pages, strings.Join(c.Words[:n], "-")+"(1)")
	}
	for _, sub := range c.Commands {
		pages = append(pages, sub.pageName()+"(1)")
	}
	if len(pages) > 0 {
		p.line(".SH", "SEE ALSO")
		p.text(strings.Join(pages, ", "))
	}
}

// roff is a man page under construction.
type roff struct{ strings.Builder }

// title writes the head of a page. The date stays as it is: mandoc reads none whose
// hyphens are escaped.
func (p *roff) title(name string, of Release) {
	p.WriteString(`.TH "` + escape(strings.ToUpper(name)) + `" "1" "` + of.Date + "\"")
	p.line("", of.Name, "FlowMCP")
}

// line writes a macro and its arguments.
func (p *roff) line(macro string, args ...string) {
	p.WriteString(macro)
	for _, arg := range args {
		p.WriteString(` "` + strings.ReplaceAll(escape(arg), `"`, `\(dq`) + `"`)
	}
	p.WriteByte('\n')
}

// text writes a line of text, which begins no macro.
func (p *roff) text(s string) {
	if s = escape(s); strings.HasPrefix(s, ".") || strings.HasPrefix(s, `\(aq`) {
		s = `\&` + s
	}
	p.WriteString(s + "\n")
}

// item writes a term in bold and what it means.
func (p *roff) item(term, meaning string) {
	p.line(".TP")
	p.line(".B", term)
	p.text(strings.TrimSuffix(meaning, ".") + ".")
}

// escaped are the characters that roff would not print as they are: a - would
// become a hyphen that nobody can copy into a command line.
var escaped = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`,
	"…", `\&...`, "–", `\(en`, "→", `\(->`, "\n", " ")

func escape(s string) string { return escaped.Replace(s) }
