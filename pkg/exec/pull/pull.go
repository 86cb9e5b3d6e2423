// Package pull gets a catalog or an agent from elsewhere: its manifest first, and then
// the files that the manifest names, all or none (chapter 15, "Import Flow").
package pull

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/flowmcp/fmcp/pkg/atomicfile"
	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/module"
	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
	"github.com/flowmcp/fmcp/pkg/walk"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Reader reads a file of the catalog by its path in it.
type Reader func(ctx context.Context, name string) ([]byte, error)

// The limits of a catalog.
const (
	maxFiles = 50_000
	maxBytes = 1 << 30
	atOnce   = 8
)

// Catalog is what has been read.
type Catalog struct {
	Name     string
	Manifest string
	Verified bool // by its contentHash
	files    map[string][]byte
	bytes    int
	read     Reader
}

// The manifests of a catalog and of an agent.
const (
	Registry = "registry.json"
	Agent    = "agent.mjs"
)

// Read reads a manifest, what it lists, and the prompts, skills and contents that
// those files name. The hash of an agent is of tools that are elsewhere, so it is not
// checked.
func Read(ctx context.Context, read Reader, manifest string) (*Catalog, error) {
	c := &Catalog{files: map[string][]byte{}, read: read, Manifest: manifest}
	if _, err := c.get(ctx, []string{manifest}); err != nil {
		return nil, err
	}
	main, err := c.parse()
	if err != nil {
		return nil, err
	}
	if c.Name = main.Get("name").Str(); !engine.IsKebab(c.Name) {
		return nil, fmt.Errorf("%s: found the name %s, expected one in kebab-case", manifest,
			words.Brief(ordjson.Text(main.Get("name"))))
	}
	names := c.named([]string{manifest})
	if manifest == Registry {
		names = walk.ListedFiles(main)
	}
	for len(names) > 0 {
		came, err := c.get(ctx, names)
		if err != nil {
			return nil, err
		}
		names = c.named(came)
	}
	if manifest == Agent {
		return c, nil
	}
	c.Verified = main.Get("contentHash").Exists()
	if p := walk.CheckContentHash(main, func(name string) []byte { return c.files[name] }); p != nil {
		return nil, fmt.Errorf("%s: %s", p.Code, p.Message)
	}
	return c, nil
}

// parse is what the manifest says.
func (c *Catalog) parse() (ordjson.Value, error) {
	text := string(c.files[c.Manifest])
	if c.Manifest == Registry {
		v, err := ordjson.Parse(text)
		if err != nil {
			err = fmt.Errorf("%s is not JSON: %w", c.Manifest, err)
		}
		return v, err
	}
	mod, err := module.Read(text)
	if err != nil {
		return ordjson.Value{}, fmt.Errorf("%s: %w", c.Manifest, err)
	}
	if slices.Contains(mod.Exports, "agent") {
		return mod.Value("agent")
	}
	return ordjson.Value{}, fmt.Errorf("%s: found no export named agent", c.Manifest)
}

// get reads the files that have not come yet, several at once, and says which.
func (c *Catalog) get(ctx context.Context, names []string) (wanted []string, err error) {
	for _, name := range names {
		if !filepath.IsLocal(filepath.FromSlash(name)) || strings.Contains(name, `\`) || path.Clean(name) != name {
			return nil, fmt.Errorf("the path %s leads out of the catalog, or is not written plainly: nothing is "+
				"fetched", words.Quote(name))
		}
		if _, there := c.files[name]; !there && !slices.Contains(wanted, name) {
			wanted = append(wanted, name)
		}
	}
	if len(c.files)+len(wanted) > maxFiles {
		return nil, fmt.Errorf("the catalog has more than %d files", maxFiles)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	var group sync.WaitGroup
	next := make(chan string)
	for range min(atOnce, len(wanted)) {
		group.Go(func() {
			for name := range next {
				data, err := c.read(ctx, name)
				mu.Lock()
				c.files[name] = data
				if c.bytes += len(data); err == nil && c.bytes > maxBytes {
					err = fmt.Errorf("the catalog has more than %d bytes", maxBytes)
				}
				mu.Unlock()
				if err != nil {
					cancel(fmt.Errorf("%s: %w", name, err))
				}
			}
		})
	}
	for _, name := range wanted {
		select {
		case next <- name:
		case <-ctx.Done():
		}
	}
	close(next)
	group.Wait()
	return wanted, context.Cause(ctx)
}

// named are the files that modules name as the place of a part of them: contents of
// prompts, prompts and skills of agents and selections.
func (c *Catalog) named(files []string) []string {
	var names []string
	for _, file := range files {
		if path.Ext(file) != ".mjs" {
			continue
		}
		mod, err := module.Read(string(c.files[file]))
		if err != nil {
			continue // whoever loads the catalog says so
		}
		for _, export := range mod.Exports {
			v, err := mod.Value(export)
			if err != nil {
				continue
			}
			for _, section := range []string{"prompts", "skills"} {
				names = append(names, filesOf(model.Root(v).At(section), path.Dir(file))...)
			}
		}
	}
	return names
}

// filesOf are the files that the entries of a section name, relative to a folder.
func filesOf(section *model.Node, dir string) []string {
	var names []string
	for _, e := range slices.Concat(section.Fields(), section.Items()) {
		for _, field := range []string{"file", "contentFile"} {
			if name := strings.TrimSpace(e.Get(field).Str()); name != "" {
				names = append(names, path.Join(dir, name))
			}
		}
	}
	return names
}

// Files is how many files have been read, Bytes how many bytes these have.
func (c *Catalog) Files() int { return len(c.files) }

// Bytes is the size of all files.
func (c *Catalog) Bytes() int { return c.bytes }

// Write writes the catalog to a folder of its name, which appears whole or not at all,
// and returns that.
func (c *Catalog) Write(into string, replace bool) (string, error) {
	to := filepath.Join(into, c.Name)
	out, err := atomicfile.CreateFolder(to, replace)
	if err != nil {
		return to, err
	}
	defer out.Abort()
	for name, data := range c.files {
		if err := out.Write(name, data, 0o644); err != nil {
			return to, err
		}
	}
	return to, out.Commit()
}

// JSON says what was written.
func (c *Catalog) JSON(to string) ordjson.Value {
	what := "catalog"
	if c.Manifest == Agent {
		what = "agent"
	}
	return ordjson.NewObject(ordjson.Field("path", ordjson.NewString(to)),
		ordjson.Field(what, ordjson.NewString(c.Name)), ordjson.Field("files", ordjson.NewInt(c.Files())),
		ordjson.Field("bytes", ordjson.NewInt(c.Bytes())), ordjson.Field("verified", ordjson.NewBool(c.Verified)),
		ordjson.Field("manifestHash", ordjson.NewString(record.Hash(c.files[c.Manifest]))))
}
