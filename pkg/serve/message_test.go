package serve

import "testing"

// TestIDOfBrokenMessages: an error goes to who waits for an answer, and to
// nobody else.
func TestIDOfBrokenMessages(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{`, "7"},
		{`{"id" : "a\u0022b", x`, `"a\"b"`},
		{`{"params":{"id":1,"list":[{"id":2}]},"id":3,`, "3"},
		{`{"id":12345678901234567890,"method":`, "12345678901234567890"},
		{`{"method":"tools/call","params":{"x":oops},"jsonrpc":"2.0","id":9}`, "9"},
		{`{"method":"tools/call","params":{"x":oops},"jsonrpc" : "2.0" , "id" : "n\\\"" } `, `"n\\\""`},
		{`{"jsonrpc":"2.0","method":"x","params":{"id":7}`, NoID},
		{`{"jsonrpc":"2.0","method":"x","params":{"a":oops,"id":7}}`, NoID},
		{`{"id":{"a":1},"method":`, NoID},
		{`{"id":null,"method":`, NoID},
		{`[{"id":7,`, NoID},
		{`{"jsonrpc":`, NoID},
		{"", NoID},
	} {
		if m, err := Parse(tc.text); err == nil || m.ID != tc.want {
			t.Errorf("%s: id %s, want %s (%v)", tc.text, m.ID, tc.want, err)
		}
	}
}
