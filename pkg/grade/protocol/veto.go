package protocol

import (
	"slices"

	"github.com/flowmcp/fmcp/pkg/grade"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// triggers are those of the Grading-Spec (08, "Categorical Veto"), a closed list.
var triggers = []string{"malicious-module", "api-key-domain-mismatch", "illegal-content", aiVeto}

// aiVeto is the veto that has to say why what it points at is a risk.
const aiVeto = "ai-security-veto"

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
	if !slices.Contains(triggers, trigger.Str()) {
		r.wrong("/categoricalVeto/triggeredBy", trigger,
			words.List(triggers)+words.DidYouMean(trigger.Str(), triggers))
	}
	veto := &grade.Veto{Trigger: trigger.Str(), Reasoning: v.Get("reasoning").Str(),
		Evidence: r.string("/categoricalVeto/evidence", "what shows it, such as a line of the schema")}
	if veto.Trigger == aiVeto && veto.Reasoning == "" {
		r.wrong("/categoricalVeto/reasoning", v.Get("reasoning"), "why that is a risk")
	}
	return veto
}
