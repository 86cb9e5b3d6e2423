package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flowmcp/fmcp/pkg/edit"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/words"
)

// ignoreWord starts a comment that takes back findings:
//
//	// fmcp-ignore VAL107,CMP010 the provider's own list, see its documentation
const ignoreWord = "fmcp-ignore"

// ReadIgnores finds the fmcp-ignore comments of a source. It costs nothing if
// there are none, and finds none in what fmcp-load cannot read.
func ReadIgnores(tokens *module.Tokens) []record.Ignore {
	if tokens.Err != nil || !strings.Contains(tokens.Src, ignoreWord) {
		return nil
	}
	r := ignoreReader{lines: module.NewLines(tokens.Src)}
	eachComment(tokens, ignoreWord, r.add)
	return r.list
}

// reviewWord starts a comment that stands above what somebody has to look at:
//
//	// fmcp-review: CMP004 option "regex(^[a-z]+$)" is not in the specification
const reviewWord = "fmcp-review"

// ReadReviews finds the fmcp-review comments of a source.
func ReadReviews(tokens *module.Tokens) []record.Review {
	if tokens.Err != nil || !strings.Contains(tokens.Src, reviewWord) {
		return nil
	}
	lines := module.NewLines(tokens.Src)
	var list []record.Review
	eachComment(tokens, reviewWord, func(c comment) {
		review := record.Review{Text: strings.TrimSpace(strings.TrimPrefix(c.rest, ":"))}
		review.Line, review.Col = lines.Position(c.start)
		list = append(list, review)
	})
	return list
}

// Reviews are the findings of the fmcp-review comments of a file.
func Reviews(load *record.Load, profile engine.Profile) []*record.Diagnostic {
	var list []*record.Diagnostic
	for _, review := range load.Reviews {
		r := ruleOf(ReviewMark)
		list = append(list, &record.Diagnostic{
			Code: r.Code, Severity: r.Severity(profile), Subject: load.ID,
			Message: "this change has not been reviewed yet: " + engine.Quote(review.Text),
			Fix:     "check that it is right, correct it if not, and remove the comment",
			Loc:     record.Loc{Path: load.Src.File(), Line: review.Line, Col: review.Col, FileHash: load.Src.FileHash},
		})
	}
	return list
}

// ReviewMark is the code of a change that nobody has reviewed.
const ReviewMark = "CMP042"

// Mark is the comment that a change for a finding leaves where it needs review.
func Mark(code, message string) string { return reviewWord + ": " + code + " " + message }

// comment is one that begins with a word.
type comment struct {
	start, end int
	from, to   int    // the ends of the tokens around it
	rest       string // what comes after the word
}

// eachComment calls f for the comments that begin with a word.
func eachComment(tokens *module.Tokens, word string, f func(comment)) {
	from := 0
	for _, t := range tokens.List {
		to := int(t.Start)
		for start, end := range module.Comments(tokens.Src, from, to) {
			text := tokens.Src[start:end]
			if strings.HasPrefix(text, "/*") {
				text = strings.TrimSuffix(text, "*/")
			}
			text = text[min(len("//"), len(text)):]
			if rest, ok := strings.CutPrefix(strings.TrimSpace(text), word); ok {
				f(comment{start, end, from, to, rest})
			}
		}
		from = int(t.End)
	}
}

type ignoreReader struct {
	lines *module.Lines
	list  []record.Ignore
}

// add notes a comment. After code it is about its own line, else about the next line of code.
func (r *ignoreReader) add(c comment) {
	ig := record.Ignore{}
	ig.Line, ig.Col = r.lines.Position(c.start)
	ig.For, _ = r.lines.Position(c.to)
	if line, _ := r.lines.Position(max(0, c.from-1)); c.from > 0 && line == ig.Line {
		ig.For = ig.Line
	}
	words := strings.Fields(c.rest)
	for len(words) > 0 {
		word, isLast := strings.CutSuffix(words[0], ":") // as many write it before a reason
		words = words[1:]
		for code := range strings.SplitSeq(word, ",") {
			if code != "" {
				ig.Codes = append(ig.Codes, code)
			}
		}
		if isLast || !strings.HasSuffix(word, ",") && (len(words) == 0 || !strings.HasPrefix(words[0], ",")) {
			break
		}
	}
	ig.Reason = strings.Join(words, " ")
	r.list = append(r.list, ig)
}

// Ignores are the fmcp-ignore comments of one file at work.
type Ignores struct {
	// CatalogRules are the rules that look at the file.
	CatalogRules CatalogRules

	list  []record.Ignore
	lines map[int][]int // indexes in list by the line that they are about
	used  map[ignoredCode]bool
	blind map[string]bool // codes of findings whose lines are not known
}

type ignoredCode struct {
	ignore int // index in list
	code   string
}

// NewIgnores returns the comments of a file, nil if there are none.
func NewIgnores(list []record.Ignore) *Ignores {
	if len(list) == 0 {
		return nil
	}
	g := &Ignores{list: list, lines: map[int][]int{}, used: map[ignoredCode]bool{}, blind: map[string]bool{}}
	for i, ig := range list {
		g.lines[ig.For] = append(g.lines[ig.For], i)
	}
	return g
}

// Cover reports whether a comment takes the finding back.
func (g *Ignores) Cover(d *record.Diagnostic) bool {
	if g == nil {
		return false
	}
	if d.Loc.Line == 0 {
		g.blind[d.Code] = true
	}
	covered := false
	// Inside a text there can be no comment: that of the text counts too.
	about := g.lines[d.Loc.Line]
	if d.Loc.Within != d.Loc.Line {
		about = slices.Concat(about, g.lines[d.Loc.Within])
	}
	for _, i := range about {
		if ig := g.list[i]; ig.Reason != "" && slices.Contains(ig.Codes, d.Code) && ignorable(d.Code) == nil {
			g.used[ignoredCode{i, d.Code}] = true
			covered = true
		}
	}
	return covered
}

// ignorable returns the rule that an ignore of a code goes against; nil if
// there is none.
func ignorable(code string) *engine.Rule {
	r, ok := Lookup(code)
	switch {
	case !ok || r.Replaced != "":
		return ruleOf("CMP015")
	case r.Check == nil || Security(code):
		return ruleOf("CMP017")
	}
	return nil
}

func ruleOf(code string) *engine.Rule {
	r, _ := Lookup(code)
	return r
}

// Findings says what is wrong with the comments themselves, when all findings
// of the file have been through Cover. A source gives them edits; it may be nil.
// Where only the rules of the whole catalog run, the others have said it but for
// what those rules do not report.
func (g *Ignores) Findings(load *record.Load, profile engine.Profile, source func() *edit.Source) []*record.Diagnostic {
	if g == nil {
		return nil
	}
	var list []*record.Diagnostic
	for i, ig := range g.list {
		report := func(r *engine.Rule, message, fix string) *record.Diagnostic {
			d := &record.Diagnostic{
				Code: r.Code, Severity: r.Severity(profile), Message: message, Fix: fix, Subject: load.ID,
				Loc: record.Loc{Path: load.Src.File(), Line: ig.Line, Col: ig.Col, FileHash: load.Src.FileHash},
			}
			list = append(list, d)
			return d
		}
		if g.CatalogRules != OnlyCatalogRules && (len(ig.Codes) == 0 || ig.Reason == "") {
			report(ruleOf("CMP014"), "found "+
				engine.Quote(strings.TrimSpace(ignoreWord+" "+strings.Join(ig.Codes, ",")))+
				", expected codes and a reason",
				"write // fmcp-ignore "+orCode(ig.Codes)+" and why the finding is not a fault")
		}
		for k, code := range ig.Codes {
			d, better := g.about(i, code, report)
			if d == nil || source == nil || d.Code == "CMP015" && better == "" {
				continue
			}
			if src := source(); src != nil {
				d.Edits = codeEdits(src.Text(), i, ig.Codes, k, better)
			}
		}
	}
	return list
}

func orCode(codes []string) string {
	if len(codes) == 0 {
		return "CODE"
	}
	return strings.Join(codes, ",")
}

// about says what is wrong with one code of a comment, and which code to write in its
// place; nil if nothing is.
func (g *Ignores) about(i int, code string, report func(r *engine.Rule, message, fix string) *record.Diagnostic) (
	d *record.Diagnostic, better string) {
	r := ignorable(code)
	switch {
	case r == nil && (g.used[ignoredCode{i, code}] || g.list[i].Reason == "" || g.blind[code] ||
		!g.CatalogRules.Runs(ruleOf(code))), r != nil && g.CatalogRules == OnlyCatalogRules:
		return nil, ""
	case r == nil:
		return report(ruleOf("CMP016"), "nothing to ignore: "+code+" is not reported for line "+
			strconv.Itoa(g.list[i].For), "remove "+code+" from the comment"), ""
	case r.Code == "CMP017":
		return report(r, code+" cannot be ignored in the source: that is for the user to decide, not for the author",
			"correct the code, or lower the finding in a file that you name with --config"), ""
	}
	fix := "name the code that the finding shows"
	if tomb, ok := Lookup(code); ok {
		better = tomb.Replaced
		fix = "write " + better + ", which has taken over"
	} else if near, ok := words.Closest(strings.ToUpper(code), Codes()); ok {
		if strings.EqualFold(near, code) { // numbers that look alike mean other things
			better = near
		}
		fix = "did you mean " + engine.Quote(near) + "?"
	}
	return report(r, "found "+engine.Quote(code)+", expected the code of a rule", fix), better
}
