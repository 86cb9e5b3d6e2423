package spec2

import (
	"fmt"
	"strings"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/ordjson"
)

// raised is the veto against the schema, null where there is none: one that the
// schema itself gives cause for, or one that another grader has raised.
func (w *grading) raised() ordjson.Value {
	if found := foreignKeys(w.e); found != nil {
		return veto(grade.VetoKey, found, w.at)
	}
	if found := imported(w.e); found != nil {
		return veto(grade.VetoModule, found, w.at)
	}
	if s := w.e.Scores; s != nil && s.Veto != nil { // whether or not the scores are refused
		return ordjson.NewObject(text("triggeredBy", s.Veto.Trigger), ordjson.Field("graderIdentity", identity(s)),
			text("evidence", s.Veto.Evidence), text("reasoning", s.Veto.Reasoning), text("timestamp", s.Timestamp))
	}
	return w.standing()
}

// foreignKeys are the keys of other companies that a schema asks for.
func foreignKeys(e *grade.Evidence) (found []string) {
	if e.Load == nil {
		return nil
	}
	main := model.NewSchema(e.Load.Data)
	root := main.Get("root").Str()
	for i, name := range main.RequiredServerParams() {
		if company := foreignKey(name, root); company != "" {
			found = append(found, fmt.Sprintf("requiredServerParams[%d]: %s is named after %s", i, name, company))
		}
	}
	if found != nil {
		found = append(found, "the root is "+root)
	}
	return found
}

// imported are the places where a schema loads a module. No other finding is a
// veto, be it of security: these are errors (decision "Vetoes").
func imported(e *grade.Evidence) (found []string) {
	for _, d := range e.Findings {
		// import.meta has the same code, and so has a word in a comment with --scan raw.
		rest, ok := strings.CutPrefix(d.Message, `forbidden "`)
		shown, _, _ := strings.Cut(rest, `"`)
		if d.Code == "SEC001" && ok && !strings.HasSuffix(shown, ".") {
			found = append(found, fmt.Sprintf("line %d: %s", d.Loc.Line, d.Message))
		}
	}
	return found
}

func veto(trigger string, found []string, at string) ordjson.Value {
	return ordjson.NewObject(text("triggeredBy", trigger), ordjson.Field("graderIdentity", script),
		text("evidence", strings.Join(found, "; ")), text("timestamp", at))
}
