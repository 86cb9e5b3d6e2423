package secret

import (
	"encoding/json"
	"testing"
)

// TestRedactorEncodedJSON: JSON as Go's encoder writes it, where & is escaped
// and + and / are not, hides no key in a text.
func TestRedactorEncodedJSON(t *testing.T) {
	const secret = "canary/a+b&c<d>e=="
	text, err := json.Marshal([]string{secret})
	if err != nil {
		t.Fatal(err)
	}
	r := NewRedactor(newEnv(t, EnvOptions{Files: []string{writeEnv(t, "KEY="+secret)}}), []string{"KEY"})
	if got := r.Text("cut off: " + string(text)); got != `cut off: ["[REDACTED:KEY]"]` {
		t.Error(got)
	}
}
