package main

import (
	"io"
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/grade/picture"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/report"
	"github.com/flowmcp/fmcp/pkg/stage"
)

type pictureFlags struct {
	Link string `group:"Output" placeholder:"URL" help:"Link lines in html and markdown, as in 'https://github.com/OWNER/REPO/blob/COMMIT/{path}#L{line}'."`
}

// openers are the formats that show grades as pictures, and what they were before.
func (f *pictureFlags) openers(earlier *earlierGrades) (cli.Openers, error) {
	if f.Link != "" && !strings.Contains(f.Link, "{path}") {
		return nil, cli.Usagef("--link %s: has no {path}, expected a URL with {path} and {line} in it, as in "+
			"https://github.com/OWNER/REPO/blob/COMMIT/{path}#L{line}", f.Link)
	}
	openers := cli.Openers{}
	for _, format := range picture.Formats {
		openers[format] = func(w io.Writer) report.Reporter {
			return &withEarlier{picture.New(format, w, picture.Link(f.Link)), earlier}
		}
	}
	return openers, nil
}

// earlier are the grades of earlier runs, nil where no picture is made: pictures can be
// of them alone, and say what has changed since.
func (f *pictureFlags) earlier(c *command) *earlierGrades {
	if slices.ContainsFunc(picture.Formats, c.Writes) {
		return &earlierGrades{}
	}
	return nil
}

// earlierGrades are the lines of grades of earlier runs: no report writes them again.
type earlierGrades struct{ lines [][]byte }

// take keeps a grade that comes by.
func (e *earlierGrades) take(it *stage.Item) (stage.Batch, error) {
	if _, ok := it.Rec.(*record.Grade); ok {
		e.lines = append(e.lines, it.AppendJSON(nil))
	}
	return stage.Batch{it}, nil
}

// withEarlier is a picture that sees the grades of earlier runs last.
type withEarlier struct {
	report.Reporter
	earlier *earlierGrades
}

// Close draws the picture.
func (w *withEarlier) Close() error {
	for _, line := range w.earlier.lines {
		if err := w.Record(&record.Grade{}, line); err != nil {
			return err
		}
	}
	return w.Reporter.Close()
}
