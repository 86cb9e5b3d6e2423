package stage

import (
	"os"
	"path/filepath"
	"testing"
)

func TestStored(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Chdir(project)
	put := func(path string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(home, ".flowmcp/resources/global.db"))
	put(filepath.Join(project, ".flowmcp/resources/project.db"))
	put(filepath.Join(project, ".flowmcp/resources/folder.db/file"))
	for _, c := range []struct {
		origin, name string
		want         bool
	}{
		{"global", "global.db", true},
		{"global", "project.db", false},
		{"project", "project.db", true},
		{"project", "global.db", false},
		{"project", "folder.db", false},
	} {
		if got := stored(c.origin, c.name); got != c.want {
			t.Errorf("%s %s: %v, want %v", c.origin, c.name, got, c.want)
		}
	}
	t.Setenv("HOME", "")
	if !stored("global", "any.db") {
		t.Error("without a home folder nothing is known of it")
	}
}
