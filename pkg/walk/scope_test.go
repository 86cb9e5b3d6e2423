package walk

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/flowmcp/fmcp/pkg/record"
)

// The skills of a folder are one collection, wherever in it one is checked.
func TestRootOfSkills(t *testing.T) {
	t.Chdir(t.TempDir())
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ root, path, want, file string }{
		{"skills", "a/SKILL.md", "skills", "a/SKILL.md"},
		{"skills/a", "SKILL.md", "skills", "a/SKILL.md"},
		{".", "SKILL.md", filepath.Dir(wd), filepath.Base(wd) + "/SKILL.md"},
		{"skills", "a/references/b/c.md", "skills", "a/references/b/c.md"},
		{"skills/a", "references/c.md", "skills", "a/references/c.md"},
		{"notes", "a/c.md", "notes/a", "c.md"},
		{"cat", "providers/p/skills/a/SKILL.md", "cat", "providers/p/skills/a/SKILL.md"},
	}
	for _, tt := range tests {
		src := record.Source{Root: tt.root, Path: tt.path}
		root := Root(src)
		if root != filepath.FromSlash(tt.want) {
			t.Errorf("%s in %s: root %s, want %s", tt.path, tt.root, root, tt.want)
		}
		if got := NewFacts(root).Path(src); got != tt.file {
			t.Errorf("%s in %s: path %s, want %s", tt.path, tt.root, got, tt.file)
		}
	}
}

func TestPart(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"cat/registry.json", "cat/providers/a/s.mjs", "cat/agents/b/agent.mjs", "alone/s.mjs",
		"cat/providers/out.ndjson"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for name, want := range map[string]string{
		"cat": "cat|", "cat/": "cat/|", "cat/providers": "cat|providers", "cat/providers/a": "cat|providers/a",
		"cat/providers/a/s.mjs":  "cat|providers/a/s.mjs",
		"cat/agents/b/agent.mjs": "cat|agents/b/agent.mjs", "alone": "alone|", "alone/s.mjs": "alone/s.mjs|",
		"cat/providers/out.ndjson": "cat/providers/out.ndjson|",
		"cat/providers/a/gone.mjs": "cat|providers/a/gone.mjs",
	} {
		if root, below := Part(name); root+"|"+below != want {
			t.Errorf("%s: %s|%s, want %s", name, root, below, want)
		}
	}
	t.Chdir(filepath.Join(dir, "cat", "providers", "a"))
	if root, below := Part("s.mjs"); root != filepath.Join(dir, "cat") || below != "providers/a/s.mjs" {
		t.Errorf("from inside: %s|%s", root, below)
	}
	if root, below := Part("."); root != filepath.Join(dir, "cat") || below != "providers/a" {
		t.Errorf("the folder itself: %s|%s", root, below)
	}
}
