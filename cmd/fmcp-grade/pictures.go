package main

import (
	"io"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/grade/picture"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
)

type pictureFlags struct {
	Link string `group:"Output" placeholder:"URL" help:"Link lines in html and markdown, as in 'https://github.com/OWNER/REPO/blob/COMMIT/{path}#L{line}'."`
}

// openers are the formats that show grades as pictures.
func (f *pictureFlags) openers() (cli.Openers, error) {
	if f.Link != "" && !strings.Contains(f.Link, "{path}") {
		return nil, cli.Usagef("--link %s: has no {path}, expected a URL with {path} and {line} in it, as in "+
			"https://github.com/OWNER/REPO/blob/COMMIT/{path}#L{line}", f.Link)
	}
	openers := cli.Openers{}
	for _, format := range picture.Formats {
		openers[format] = func(w io.Writer) report.Reporter { return picture.New(format, w, picture.Link(f.Link)) }
	}
	return openers, nil
}

// kinds are those that are work too: pictures can be made of grades that are there.
func (f *pictureFlags) kinds(c *command) []record.Kind {
	if slices.ContainsFunc(picture.Formats, c.Writes) {
		return []record.Kind{record.KindGrade}
	}
	return nil
}
