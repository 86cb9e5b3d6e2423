package secret

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
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

// TestRedactorGroups: keys of one tool are found as user and password, and those of
// a whole catalog do not make a form for every two of them.
func TestRedactorGroups(t *testing.T) {
	const tools = 500
	var file strings.Builder
	var groups [][]string
	for i := range tools {
		fmt.Fprintf(&file, "USER_%[1]d=user-%04[1]d\nPASSWORD_%[1]d=password-%04[1]d\n", i)
		groups = append(groups, []string{fmt.Sprintf("USER_%d", i), fmt.Sprintf("PASSWORD_%d", i)})
	}
	r := NewRedactor(newEnv(t, EnvOptions{Files: []string{writeEnv(t, file.String())}}), groups...)
	basic := base64.StdEncoding.EncodeToString([]byte("user-0042:password-0042"))
	if got := r.Text("Basic " + basic + " of user-0007"); got != "Basic [REDACTED:USER_42] of [REDACTED:USER_7]" {
		t.Error(got)
	}
	forms := 0
	for _, list := range r.long {
		forms += len(list)
	}
	if per := forms / (2 * tools); per > 30 {
		t.Errorf("%d forms for each key", per)
	}
}
