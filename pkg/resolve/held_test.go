package resolve

import (
	"strings"
	"testing"
)

// Where the folder for temporary files cannot be written to, that is said, whether
// schemas do not fit into memory or what is made of them.
func TestNoRoom(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/none")
	for _, count := range []int{3, 5} { // of 4 MB each
		r, err := NewResolver(Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range count {
			ns := "a" + strings.Repeat("b", i)
			tool := `{"method":"GET","path":"/","description":"` + strings.Repeat("d", 4<<20) + `","parameters":[]}`
			r.Add(schemaLoad("providers/"+ns+"/x.mjs", aSchema(ns, "", tool)), nil)
		}
		if failed := r.Err() != nil; failed != (count == 5) {
			t.Errorf("%d: %v", count, r.Err())
		}
		lines, _ := r.Resolve()
		for range lines {
			t.Errorf("%d: a line", count)
		}
		if r.Err() == nil || !strings.Contains(r.Err().Error(), "do not fit into memory") {
			t.Errorf("%d: %v", count, r.Err())
		}
	}
}
