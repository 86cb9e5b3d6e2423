package library

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/flowmcp/fmcp/pkg/words"
)

// builder makes one bundle. It resolves and reads everything itself: esbuild
// touches no file.
type builder struct {
	folder *Folder
	start  target // what the entry imports

	// lenient makes what cannot be resolved fail when it is reached.
	lenient bool

	mu      sync.Mutex
	edges   map[string][]edge // by importing file, "" for the entry
	reasons map[string]string // why an import could not be resolved, by what esbuild says of it
}

// edge is an import.
type edge struct {
	to   string // file; "" where it could not be resolved
	lazy bool   // import(), which happens when it is reached
}

// onlyLazy reports whether everything that could not be resolved is in files
// that the package does not need to be loaded.
func (b *builder) onlyLazy() bool {
	todo, seen := []string{""}, map[string]bool{}
	for len(todo) > 0 {
		file := todo[0]
		if todo = todo[1:]; seen[file] {
			continue
		}
		seen[file] = true
		for _, e := range b.edges[file] {
			switch {
			case e.lazy:
			case e.to == "":
				return false
			default:
				todo = append(todo, e.to)
			}
		}
	}
	return true
}

func (b *builder) setup(build api.PluginBuild) {
	build.OnResolve(api.OnResolveOptions{Filter: ".*"}, b.resolve)
	build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: namespace}, b.load)
}

// moduleMark follows the path of an ES module that is named .js, so that
// esbuild sees one, and follows nothing else.
const moduleMark = " (module).mjs"

func (b *builder) resolve(args api.OnResolveArgs) (api.OnResolveResult, error) {
	t, err := b.start, error(nil)
	from, ok := args.PluginData.(target)
	if ok && args.Namespace == namespace {
		require := args.Kind == api.ResolveJSRequireCall || args.Kind == api.ResolveJSRequireResolve
		t, err = b.folder.resolve(path.Dir(from.file), args.Path, require)
	}
	if err == nil && t.file != "" {
		err = usable(t.file)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !t.empty && t.builtin == "" {
		b.edges[from.file] = append(b.edges[from.file], edge{t.file, args.Kind == api.ResolveJSDynamicImport})
	}
	var hard *refusal
	switch {
	case errors.As(err, &hard):
		return api.OnResolveResult{Errors: []api.Message{{Text: hard.msg}}}, nil
	case t.builtin != "":
		return api.OnResolveResult{Path: t.builtin, External: true}, nil
	case err != nil && (b.lenient || args.Kind == api.ResolveJSDynamicImport):
		return api.OnResolveResult{Path: args.Path, External: true}, nil // fails when it is reached
	case err != nil:
		// esbuild knows whether a try stands around it. It has no folder to
		// look in, so it finds nothing, and says so where that is an error.
		b.reasons[fmt.Sprintf("Could not resolve %q", args.Path)] = err.Error()
		return api.OnResolveResult{}, nil
	case t.empty:
		return api.OnResolveResult{Path: args.Path + " (empty)", Namespace: namespace, PluginData: t}, nil
	}
	r := api.OnResolveResult{Path: t.file, Namespace: namespace, PluginData: t}
	if b.folder.isModule(t.file) && path.Ext(t.file) != ".mjs" {
		r.Path += moduleMark
	}
	if b.folder.pure(t.file) {
		r.SideEffects = api.SideEffectsFalse
	}
	return r, nil
}

// usable refuses what is not JavaScript.
func usable(file string) error {
	switch ext := path.Ext(file); ext {
	case ".js", ".mjs", ".cjs", ".json", "":
		return nil
	case ".node":
		return refuse("%s is native code, which runs in Node alone", file)
	default:
		return refuse("%s is not JavaScript", file)
	}
}

func (b *builder) load(args api.OnLoadArgs) (api.OnLoadResult, error) {
	t := args.PluginData.(target)
	text := ""
	if !t.empty {
		var err error
		if text, err = b.folder.read(t.file); err != nil {
			return api.OnLoadResult{}, err
		}
	}
	loader := api.LoaderJS
	if path.Ext(t.file) == ".json" {
		loader = api.LoaderJSON
	}
	return api.OnLoadResult{Contents: &text, Loader: loader, PluginData: t}, nil
}

// failure makes one sentence of what esbuild found.
func (b *builder) failure(messages []api.Message) error {
	var list []string
	for _, m := range messages {
		text, _, _ := strings.Cut(m.Text, "\n")
		if why := b.reasons[text]; why != "" {
			text = why
		}
		if m.Location != nil && m.Location.File != entryFile {
			file := strings.TrimSuffix(strings.TrimPrefix(m.Location.File, namespace+":"), moduleMark)
			text = fmt.Sprintf("%s (%s:%d)", text, file, m.Location.Line)
		}
		list = append(list, text)
	}
	slices.Sort(list) // files are read in no order
	return errors.New(words.List(slices.Compact(list)))
}
