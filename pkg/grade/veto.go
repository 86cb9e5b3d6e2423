package grade

// Veto is why a grader rejects a schema, for the Grading-Spec; chapter 20 knows none.
type Veto struct{ Trigger, Evidence, Reasoning string }

// The vetoes of the Grading-Spec (08, "Categorical Veto").
const (
	VetoModule  = "malicious-module"
	VetoKey     = "api-key-domain-mismatch"
	VetoIllegal = "illegal-content"
	VetoAI      = "ai-security-veto" // has to say why what it points at is a risk
)

// Triggers are all vetoes: the list is closed.
var Triggers = []string{VetoModule, VetoKey, VetoIllegal, VetoAI}
