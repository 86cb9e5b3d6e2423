package pull

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
)

// TestRead: nothing outside of the catalog is asked for, whatever its files say.
func TestRead(t *testing.T) {
	registry := func(file string) string {
		return `{"name":"demo","shared":[{"file":"` + file + `"}],"schemas":[],"agents":[]}`
	}
	for name, c := range map[string]struct {
		files map[string]string
		wrong string // "" where all is right
	}{
		"whole": {map[string]string{"registry.json": registry("a.mjs"),
			"a.mjs":   "export const selection = { skills: { x: { file: './s/x.mjs' } } }",
			"s/x.mjs": "export const skill = {}"}, ""},
		"in a circle": {map[string]string{"registry.json": registry("a.mjs"),
			"a.mjs": "export const main = { prompts: { x: { contentFile: './a.mjs' } } }"}, ""},
		"upwards":         {map[string]string{"registry.json": registry("../a.mjs")}, "leads out"},
		"absolute":        {map[string]string{"registry.json": registry("/etc/passwd")}, "leads out"},
		"backslashes":     {map[string]string{"registry.json": registry(`..\\a.mjs`)}, "leads out"},
		"through folders": {map[string]string{"registry.json": registry("x/../../a.mjs")}, "leads out"},
		"not plainly":     {map[string]string{"registry.json": registry("x/../a.mjs")}, "not written plainly"},
		"no path":         {map[string]string{"registry.json": registry("")}, "leads out"},
		"a part outside": {map[string]string{"registry.json": registry("a.mjs"),
			"a.mjs": "export const main = { prompts: { x: { contentFile: '../x.mjs' } } }"}, "leads out"},
		"missing":      {map[string]string{"registry.json": registry("a.mjs")}, "a.mjs: no such file"},
		"no registry":  {nil, "registry.json: no such file"},
		"no JSON":      {map[string]string{"registry.json": "<html>"}, "is not JSON"},
		"another name": {map[string]string{"registry.json": `{"name":".."}`}, "in kebab-case"},
		"another hash": {map[string]string{"registry.json": `{"name":"demo","contentHash":"sha256:00","shared":[` +
			`{"file":"a.mjs"}]}`, "a.mjs": ""}, "CMP026"},
		"an agent": {map[string]string{"agent.mjs": "export const agent = { name: 'clerk', " +
			"prompts: { about: { file: './prompts/about.mjs' } }, skills: { x: { file: './skills/x.mjs' } } }",
			"prompts/about.mjs": "export const content = 'x'", "skills/x.mjs": "export const skill = {}"}, ""},
		"an agent outside": {map[string]string{"agent.mjs": "export const agent = { name: 'clerk', " +
			"skills: { x: { file: '../x.mjs' } } }"}, "leads out"},
		"no agent":     {map[string]string{"agent.mjs": "export const main = {}"}, "no export named agent"},
		"agent's name": {map[string]string{"agent.mjs": "export const agent = { name: '..' }"}, "kebab-case"},
		"broken agent": {map[string]string{"agent.mjs": "export const agent = {"}, "agent.mjs: "},
	} {
		t.Run(name, func(t *testing.T) {
			manifest := Registry
			if _, ok := c.files[Agent]; ok {
				manifest = Agent
			}
			var mu sync.Mutex
			asked := map[string]int{}
			got, err := Read(context.Background(), func(_ context.Context, file string) ([]byte, error) {
				mu.Lock()
				defer mu.Unlock()
				asked[file]++
				text, ok := c.files[file]
				if !ok {
					return nil, errors.New("no such file")
				}
				return []byte(text), nil
			}, manifest)
			for file, n := range asked {
				if n > 1 || strings.HasPrefix(file, "..") || strings.HasPrefix(file, "/") {
					t.Errorf("%s was asked for %d times", file, n)
				}
			}
			switch {
			case c.wrong == "" && (err != nil || got.Files() != len(c.files)):
				t.Errorf("%v, want all %d files", err, len(c.files))
			case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
				t.Errorf("%v, want %q", err, c.wrong)
			}
		})
	}
}

// TestWriteAllOrNothing: what cannot be written whole leaves nothing.
func TestWriteAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	c := &Catalog{Name: "demo", files: map[string][]byte{"a": nil, "a/b": nil}} // a is a file and a folder
	if _, err := c.Write(dir, false); err == nil {
		t.Error("it was written")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
