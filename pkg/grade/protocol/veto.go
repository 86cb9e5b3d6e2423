package protocol

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// veto reads a categoricalVeto, which chapter 22 does not have and the Grading-Spec
// does.
func (r *reader) veto() *grade.Veto {
	v := r.value.Get("categoricalVeto")
	if !v.Exists() || v.Is(ordjson.Null) {
		return nil
	}
	if !v.Is(ordjson.Object) {
		r.wrong("/categoricalVeto", v, "an object with triggeredBy, evidence and reasoning, or null")
		return nil
	}
	trigger := v.Get("triggeredBy")
	if !slices.Contains(grade.Triggers, trigger.Str()) {
		r.wrong("/categoricalVeto/triggeredBy", trigger,
			words.List(grade.Triggers)+words.DidYouMean(trigger.Str(), grade.Triggers))
	}
	veto := &grade.Veto{Trigger: trigger.Str(), Reasoning: v.Get("reasoning").Str(),
		Evidence: r.string("/categoricalVeto/evidence", "what shows it, such as a line of the schema")}
	if veto.Trigger == grade.VetoAI && veto.Reasoning == "" {
		r.wrong("/categoricalVeto/reasoning", v.Get("reasoning"), "why that is a risk")
	}
	return veto
}
