// Package origin finds the files of resources (chapter 13, "Origin System").
// Names and paths come from untrusted schemas: whatever they hold, no file
// outside the folder of the origin is opened, made or revealed.
package origin

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"

	"github.com/flowmcp/fmcp/pkg/model"
	"github.com/flowmcp/fmcp/pkg/words"
)

// The codes of files that cannot be had. Each is a rule row in pkg/rules.
const (
	CodeMissing  = "EXE070" // no such file, or it cannot be read
	CodeRefused  = "EXE075" // a name or path that leads out, or to what is not a file
	CodeVariable = "RES035" // a path variable that has no value
)

// Default is the base folder unless --base names another (chapter 13, "Base
// Folder").
const Default = "flowmcp"

// Variable is the path variable of chapter 13, "Path Variable Support".
const Variable = "FLOWMCP_RESOURCES"

// folder is the name of the folder of resources, which is fixed (chapter 13,
// "Naming Conventions").
const folder = "resources"

// Places are the folders in which resources are looked for. The zero value is
// the current folder, for a user without a home.
type Places struct {
	Base      string // base folder without its dot; "" is Default
	Project   string // folder of the project; "" is the current one
	Home      string // home folder; "" if there is none
	Resources string // value of FLOWMCP_RESOURCES; "" if it is not set
	Catalog   string // folder that paths of schemas are relative to; "" is the current one
}

// System are the places of a process with this environment.
func System(getenv func(string) string) Places {
	p := Places{Resources: getenv(Variable)}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if p.Home == "" {
			p.Home = getenv(name)
		}
	}
	return p
}

// CheckBase refuses a base folder that is not a name of a folder.
func CheckBase(base string) error {
	if why := badName(base); why != "" {
		return &words.Problem{Code: CodeRefused, Message: "the base folder " + words.Quote(base) + " " + why +
			": give a name such as " +
			Default}
	}
	return nil
}

func (p *Places) base() string {
	if p.Base == "" {
		return "." + Default
	}
	return "." + p.Base
}

// File is the place of a resource by its fields origin and name. ext is the
// extension that its source asks for, ".db" or ".md"; schema is the path of the
// schema's file in the catalog, with slashes. The errors are *words.Problem.
func (p *Places) File(origin, name, ext, schema string) (Place, error) {
	if why := badName(name); why != "" {
		return Place{}, refuse("name %s %s: write the name of a file such as stations%s", words.Quote(name), why, ext)
	}
	if !strings.HasSuffix(name, ext) || name == ext {
		return Place{}, refuse("name %s does not end with %s: write name: '%s', or correct source",
			words.Quote(name), ext, strings.TrimSuffix(name, path.Ext(name))+ext)
	}
	place, err := p.folder(origin, schema)
	if err != nil {
		return Place{}, err
	}
	place.names, place.places = append(place.names, name), p
	return place, nil
}

// folder is the place of the folder of an origin.
func (p *Places) folder(origin, schema string) (Place, error) {
	switch origin {
	case model.Inline:
		if why := badPath(schema); why != "" {
			return Place{}, refuse("the schema's path %s %s: resolve the catalog again", words.Quote(schema), why)
		}
		dir := path.Dir(schema)
		// A link of the catalog must not lead out of the catalog.
		return Place{origin: origin, schema: schema, dir: cmp.Or(p.Catalog, "."), names: append(elements(dir), folder),
			shown: path.Join(filepath.ToSlash(p.Catalog), dir, folder)}, nil
	case model.Project:
		// The base folder may have come with an untrusted repository: a link in
		// it must not lead out of the project.
		return Place{origin: origin, schema: schema, dir: cmp.Or(p.Project, "."), names: []string{p.base(), folder},
			shown: path.Join(filepath.ToSlash(p.Project), p.base(), folder)}, nil
	case model.Global:
		if p.Home == "" {
			return Place{}, &words.Problem{Code: CodeMissing,
				Message: "there is no home folder for origin global: set HOME"}
		}
		// Users keep large files on other disks: a link in place of the folder
		// itself is theirs.
		return Place{origin: origin, schema: schema, dir: filepath.Join(p.Home, p.base(), folder),
			shown: "~/" + p.base() + "/" + folder}, nil
	}
	origins := []string{model.Inline, model.Project, model.Global}
	return Place{}, refuse("origin %s is not inline, project or global%s", words.Quote(origin),
		words.DidYouMean(origin, origins))
}

// Path is the place of a file by its field path, which begins with
// ${FLOWMCP_RESOURCES}, is absolute, or is relative to the project's folder of
// resources (chapter 13, "Path Variable Support"; decision "HTTP resources").
// An absolute path must be in one of the folders of resources, so that no
// schema chooses any file of the machine. The errors are *words.Problem.
func (p *Places) Path(text string) (Place, error) {
	switch {
	case strings.HasPrefix(text, "${"):
		return p.variable(text)
	case filepath.IsAbs(text) || strings.HasPrefix(text, "/"):
		return p.absolute(text)
	}
	place, err := p.folder(model.Project, "")
	if err != nil {
		return place, err
	}
	return p.below(place, text, text)
}

// Below is the place of a file in the base folder of the project, for what a
// command keeps there; names are its folders and its own.
func (p *Places) Below(names ...string) Place {
	return Place{
		origin: model.Project, places: p, dir: cmp.Or(p.Project, "."), names: append([]string{p.base()}, names...),
		shown: path.Join(append([]string{filepath.ToSlash(p.Project), p.base()}, names[:len(names)-1]...)...),
	}
}

// variable is Path for one that begins with a variable.
func (p *Places) variable(text string) (Place, error) {
	name, rest, ended := strings.Cut(text[len("${"):], "}")
	if !ended || name != Variable {
		return Place{}, &words.Problem{Code: CodeVariable, Message: "path " + words.Quote(text) +
			" begins with a variable that there is not" + words.DidYouMean(name, []string{Variable}) +
			": write ${" + Variable + "}/ and the name of a file"}
	}
	place := Place{origin: "", dir: p.Resources, shown: "${" + Variable + "}"}
	switch {
	case p.Resources == "" && p.Home == "":
		return Place{}, &words.Problem{Code: CodeVariable, Message: "path " + words.Quote(text) + ": " + Variable +
			" is not set, and there is no home folder: set " + Variable + " to the folder of the file"}
	case p.Resources == "":
		place.dir, place.shown = filepath.Join(p.Home, "."+Default, folder), "~/."+Default+"/"+folder
	}
	if !strings.HasPrefix(rest, "/") {
		return Place{}, refuse("path %s has no / after its variable: write ${%s}/ and the name of a file",
			words.Quote(text), Variable)
	}
	return p.below(place, strings.TrimPrefix(rest, "/"), text)
}

// absolute is Path for an absolute one.
func (p *Places) absolute(text string) (Place, error) {
	var roots []Place
	if p.Resources != "" {
		roots = append(roots, Place{dir: p.Resources, shown: "${" + Variable + "}"})
	}
	for _, origin := range []string{model.Project, model.Global} {
		if place, err := p.folder(origin, ""); err == nil {
			roots = append(roots, place)
		}
	}
	for _, root := range roots {
		dir, err := filepath.Abs(filepath.Join(append([]string{root.dir}, root.names...)...))
		if err != nil {
			continue
		}
		if rest, ok := strings.CutPrefix(filepath.ToSlash(text),
			strings.TrimSuffix(filepath.ToSlash(dir), "/")+"/"); ok {
			return p.below(root, rest, text)
		}
	}
	return Place{}, refuse("path %s is in no folder of resources: move the file to ~/%s/%s/, or set %s to its "+
		"folder", words.Quote(text), p.base(), folder, Variable)
}

// below adds the rest of a path to a place.
func (p *Places) below(place Place, rest, text string) (Place, error) {
	if why := badPath(rest); why != "" {
		return Place{}, refuse("path %s %s: write the name of a file in the folder of resources", words.Quote(text),
			why)
	}
	names := elements(rest)
	for _, name := range names[:len(names)-1] {
		place.shown += "/" + name
	}
	place.names, place.places = append(place.names, names...), p
	return place, nil
}

// elements are the names in a path with slashes; "." has none.
func elements(text string) []string {
	if text == "." {
		return nil
	}
	return strings.Split(text, "/")
}
