package stage

import (
	"strings"
	"testing"
)

// A module has at most 1 MiB; one that is larger is not read, and says so.
func TestModuleSize(t *testing.T) {
	text := schema("a", "", "string()")
	fits := text + strings.Repeat(" ", 1<<20-len(text))
	dir := write(t, map[string]string{"providers/a/fits.mjs": fits, "providers/a/larger.mjs": fits + " "})
	out := output(t, walked(dir), Loading("test")...)
	if got := brief(t, out); !strings.Contains(got, "load a/fits") || !strings.Contains(got, "error LOD001") {
		t.Error(got)
	}
	if !strings.Contains(out, "larger.mjs\",\"stage\":\"fmcp-scan\",\"code\":\"LOD001\",\"message\":\"is larger than 1 MiB: it was not read; ") {
		t.Error(out[max(0, len(out)-600):])
	}
}
