package resolve

import (
	"runtime"
	"strings"
	"testing"
	"unsafe"
	"weak"

	"github.com/flowmcp/fmcp/pkg/record"
)

// A schema that waits keeps nothing of the line that it came by.
func TestHeldWithoutLine(t *testing.T) {
	r, err := NewResolver(Options{})
	if err != nil {
		t.Fatal(err)
	}
	line := string(schemaLoad("providers/a/x.mjs", aSchema("a", "", aTool("GET", "/"))).AppendJSON(nil))
	kept := weak.Make(unsafe.StringData(line))
	_, rec, _, err := record.Decode(line)
	if err != nil {
		t.Fatal(err)
	}
	r.Add(rec.(*record.Load), []byte(line))
	rec, line = nil, ""
	runtime.GC()
	if kept.Value() != nil {
		t.Error("the line is still in memory")
	}
	runtime.KeepAlive(r)
}

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
