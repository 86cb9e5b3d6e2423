package origin

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flowmcp/fmcp/pkg/words"
)

// world is a project, a home, a catalog and a secret beside them.
func world(t *testing.T) (Places, string) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"secret.db": "secret", "secret.md": "secret",
		"project/.flowmcp/resources/here.db":            "project",
		"project/.flowmcp/resources/both.db":            "project both",
		"project/.flowmcp/resources/sub/deep.db":        "deep",
		"home/.flowmcp/resources/tranco-ranking.db":     "global",
		"home/.flowmcp/resources/both.db":               "global both",
		"home/.flowmcp/resources/notes.md":              "global notes",
		"home/.other/resources/here.db":                 "other base",
		"catalog/providers/tide/resources/tide-book.md": "inline",
		"catalog/providers/tide/tide.mjs":               "schema",
		"shelf/feed.db":                                 "variable",
	} {
		write(t, filepath.Join(top, name), text)
	}
	return Places{Project: filepath.Join(top, "project"), Home: filepath.Join(top, "home"),
		Catalog: filepath.Join(top, "catalog"), Resources: filepath.Join(top, "shelf")}, top
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// read is the text of a place, or its error.
func read(place Place, err error) string {
	if err != nil {
		return err.Error()
	}
	f, err := place.Open()
	if err != nil {
		return err.Error()
	}
	defer func() { _ = f.Close() }()
	b, _ := io.ReadAll(f)
	path, err := place.Path()
	if err != nil {
		return err.Error()
	}
	if again, err := os.ReadFile(path); err != nil || string(again) != string(b) {
		return "Path " + path + " is another file"
	}
	return string(b)
}

const schema = "providers/tide/tide.mjs"

func TestFile(t *testing.T) {
	p, top := world(t)
	tests := []struct{ origin, name, ext, want string }{
		{"project", "here.db", ".db", "project"},
		{"global", "tranco-ranking.db", ".db", "global"},
		{"global", "notes.md", ".md", "global notes"},
		{"inline", "tide-book.md", ".md", "inline"},
		{"project", "both.db", ".db", "project both"},
		{"global", "both.db", ".db", "global both"},
		{"globl", "both.db", ".db", `EXE075 origin "globl" is not inline, project or global (did you mean "global"?)`},
		{"", "both.db", ".db", `EXE075 origin "" is not inline, project or global`},
		{"project", "here.md", ".db", `EXE075 name "here.md" does not end with .db: write name: 'here.db', ` +
			`or correct source`},
		{"project", "here.DB", ".db", `does not end with .db`},
		{"project", ".db", ".db", `does not end with .db`},
		{"global", "tranco-rankng.db", ".db",
			`EXE070 there is no file ~/.flowmcp/resources/tranco-rankng.db (looked for ` + top +
				`/home/.flowmcp/resources/tranco-rankng.db, origin global) (did you mean "tranco-ranking.db"?)`},
		{"global", "notes.db", ".db", `; the folder has "notes.md": correct name, or give the file the extension .db`},
		{"global", "here.db", ".db", `project/.flowmcp/resources/here.db is there: write origin: 'project', ` +
			`or move it`},
		{"project", "stations.db", ".db",
			`; the folder has "both.db", "here.db": put the file there, or correct the name`},
		{"inline", "stations.db", ".db",
			top + `/catalog/providers/tide/resources/stations.db of origin inline: put the file there`},
		{"project", "sub", "", `is not a regular file: only regular files are opened`},
	}
	for _, tt := range tests {
		if got := read(p.File(tt.origin, tt.name, tt.ext, schema)); got != tt.want &&
			(len(tt.want) < 15 || !strings.Contains(got, tt.want)) {
			t.Errorf("%s %s: %s\nwant %s", tt.origin, tt.name, got, tt.want)
		}
	}
	moved := p
	moved.Catalog = t.TempDir()
	if got := read(moved.File("inline", "tide-book.md", ".md", schema)); !strings.HasSuffix(got,
		"; the schema's own folder is not there either: name the folder that the catalog was resolved from by --root") {
		t.Errorf("a catalog that was moved: %s", got)
	}
	p.Base = "other"
	if got := read(p.File("global", "here.db", ".db", schema)); got != "other base" {
		t.Errorf("--base: %s", got)
	}
	p.Home = ""
	if got := read(p.File("global", "here.db", ".db", schema)); got != "EXE070 there is no home folder for origin "+
		"global: set HOME" {
		t.Errorf("no home: %s", got)
	}
}

// hostile are names that no file has which a schema may ask for.
var hostile = []string{
	"", ".", "..", "../secret.db", "../../secret.db", "..\\secret.db", "/etc/passwd", "\\etc", "C:secret.db",
	"C:\\x.db", "\\\\host\\share.db",
	"a/../../secret.db", "./here.db", "here.db/", "sub/deep.db", "here.db\x00.db", "\x00", "here.db ", " here.db",
	"here.db.", "..db\n", "here.db:stream",
	"NUL", "nul.db", "Con.db", "aux .db", "COM1.db", "com¹.db", "lpt9.db", "CONIN$", "\u202ebd.ereh", "\xff.db",
	strings.Repeat("a", 300) + ".db",
	"%2e%2e/secret.db", "file:here.db", "here.db?mode=rwc/", "~/x.db", "~\\x.db",
}

func TestHostileNames(t *testing.T) {
	p, top := world(t)
	for _, name := range hostile {
		for _, origin := range []string{"inline", "project", "global"} {
			for _, ext := range []string{".db", ".md", ""} {
				place, err := p.File(origin, name, ext, schema)
				if err == nil {
					t.Errorf("%s %q: allowed as %s", origin, name, place)
				}
				var e *words.Problem
				if !errors.As(err, &e) || e.Code != CodeRefused {
					t.Errorf("%q: %v", name, err)
				}
			}
		}
		if err := CheckBase(name); err == nil {
			t.Errorf("--base %q is allowed", name)
		}
	}
	for _, path := range []string{"../secret.db", "sub/../../../secret.db", "sub//deep.db", "sub\\deep.db",
		"${FLOWMCP_RESOURCES}/../secret.db",
		"${FLOWMCP_RESOURCES}\\feed.db", "${FLOWMCP_RESOURCES}", "${FLOWMCP_RESOURCES}x/feed.db",
		"${FLOWMCP_RESOURCES}/", "${FLOWMCP_RESOURCES}//feed.db",
		top + "/secret.db", top + "/shelf/../secret.db", top + "/project/.flowmcp/resources/../../../secret.db",
		"/etc/passwd", top + "/shelfx/feed.db", top + "/shelf", ""} {
		if place, err := p.Path(path); err == nil {
			t.Errorf("%q: allowed as %s", path, place)
		}
	}
	for _, schema := range []string{"../tide.mjs", "/etc/x.mjs", "a/../../x.mjs", "a\\..\\x.mjs",
		"providers/../../project/x.mjs"} {
		if place, err := p.File("inline", "tide-book.md", ".md", schema); err == nil {
			t.Errorf("schema %q: allowed as %s", schema, place)
		}
	}
}

func TestPath(t *testing.T) {
	p, top := world(t)
	tests := []struct{ path, want string }{
		{"${FLOWMCP_RESOURCES}/feed.db", "variable"},
		{"here.db", "project"},
		{"sub/deep.db", "deep"},
		{top + "/shelf/feed.db", "variable"},
		{top + "/home/.flowmcp/resources/both.db", "global both"},
		{top + "/project/.flowmcp/resources/sub/deep.db", "deep"},
		{"${FLOWMCP_RESOURCE}/feed.db",
			`RES035 path "${FLOWMCP_RESOURCE}/feed.db" begins with a variable that there is not (did you mean ` +
				`"FLOWMCP_RESOURCES"?): write ${FLOWMCP_RESOURCES}/ and the name of a file`},
		{"${HOME}/feed.db", `RES035 path "${HOME}/feed.db" begins with a variable that there is not: write ` +
			`${FLOWMCP_RESOURCES}/ and the name of a file`},
		{"/etc/passwd", `EXE075 path "/etc/passwd" is in no folder of resources: move the file to ` +
			`~/.flowmcp/resources/, or set FLOWMCP_RESOURCES to its folder`},
		{"${FLOWMCP_RESOURCES}/fed.db",
			`EXE070 there is no file ${FLOWMCP_RESOURCES}/fed.db (looked for ` + top +
				`/shelf/fed.db) (did you mean "feed.db"?)`},
	}
	for _, tt := range tests {
		if got := read(p.Path(tt.path)); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.path, got, tt.want)
		}
	}
	p.Resources = ""
	if got := read(p.Path("${FLOWMCP_RESOURCES}/both.db")); got != "global both" {
		t.Errorf("the default of the variable: %s", got)
	}
	p.Home = ""
	if got := read(p.Path("${FLOWMCP_RESOURCES}/both.db")); !strings.HasPrefix(got, "RES035 ") {
		t.Errorf("no variable and no home: %s", got)
	}
}

func TestLinks(t *testing.T) {
	p, top := world(t)
	link := func(target, name string) {
		t.Helper()
		if err := os.Symlink(target, filepath.Join(top, name)); err != nil {
			t.Fatal(err)
		}
	}
	link("../../../secret.db", "project/.flowmcp/resources/out.db")
	link(top+"/secret.db", "project/.flowmcp/resources/absolute.db")
	link("here.db", "project/.flowmcp/resources/inside.db")
	link("chain2.db", "project/.flowmcp/resources/chain1.db")
	link("out.db", "project/.flowmcp/resources/chain2.db")
	link("loop.db", "project/.flowmcp/resources/loop.db")
	link("../../../secret.db", "home/.flowmcp/resources/out.db")
	link("../../../../../secret.md", "catalog/providers/tide/resources/out.md")
	link("../..", "project/.flowmcp/resources/up")
	for _, tt := range []struct{ origin, name, want string }{
		{"project", "out.db", "EXE075 "}, {"project", "absolute.db", "EXE075 "}, {"project", "chain1.db", "EXE075 "},
		{"project", "inside.db", "project"},
		{"project", "loop.db", "EXE070 "}, {"global", "out.db", "EXE075 "}, {"inline", "out.md", "EXE075 "},
	} {
		got := read(p.File(tt.origin, tt.name, filepath.Ext(tt.name), schema))
		if !strings.HasPrefix(got, tt.want) || strings.Contains(got, "secret\n") {
			t.Errorf("%s %s: %s", tt.origin, tt.name, got)
		}
	}
	if got := read(p.Path("up/.flowmcp/resources/here.db")); got != "project" {
		t.Errorf("a link that stays inside the project: %s", got)
	}

	// The base folder of a project may be a link that came with a repository;
	// the user's own may be anywhere.
	for _, dir := range []string{"project", "home"} {
		if err := os.Rename(filepath.Join(top, dir, ".flowmcp"), filepath.Join(top, dir+"-flowmcp")); err != nil {
			t.Fatal(err)
		}
		link("../"+dir+"-flowmcp", dir+"/.flowmcp")
	}
	if got := read(p.File("project", "here.db", ".db", schema)); !strings.Contains(got,
		"is reached by a link that leads out of its folder") {
		t.Errorf("a project's folder that is a link: %s", got)
	}
	if got := read(p.File("global", "both.db", ".db", schema)); got != "global both" {
		t.Errorf("a home's folder that is a link: %s", got)
	}
	if place, err := p.File("project", "new.db", ".db", schema); err == nil {
		if path, err := place.Make(); err == nil {
			t.Errorf("a file outside the project would be made: %s", path)
		}
	}
}

func TestMake(t *testing.T) {
	p, top := world(t)
	p.Project = filepath.Join(top, "empty")
	if err := os.Mkdir(p.Project, 0o755); err != nil {
		t.Fatal(err)
	}
	place, err := p.File("project", "new.db", ".db", schema)
	if err != nil {
		t.Fatal(err)
	}
	path, err := place.Make()
	if err != nil || path != filepath.Join(top, "empty/.flowmcp/resources/new.db") {
		t.Fatalf("%s %v", path, err)
	}
	if !place.Missing() {
		t.Error("the file itself is made")
	}
	write(t, path, "new")
	if got := read(place, nil); got != "new" {
		t.Error(got)
	}
	if path, err := p.Below("cache", "resources", "x.db").Make(); err != nil ||
		path != filepath.Join(top, "empty/.flowmcp/cache/resources/x.db") {
		t.Errorf("%s %v", path, err)
	}
	if err := os.Symlink("new.db", filepath.Join(filepath.Dir(path), "link.db")); err != nil {
		t.Fatal(err)
	}
	linked, _ := p.File("project", "link.db", ".db", schema)
	if path, err := linked.Make(); err == nil {
		t.Errorf("a link would be written through: %s", path)
	}
	p.Home = filepath.Join(top, "nowhere")
	place, err = p.File("global", "x.db", ".db", schema)
	if err != nil {
		t.Fatal(err)
	}
	if path, err := place.Make(); err != nil || path != filepath.Join(top, "nowhere/.flowmcp/resources/x.db") {
		t.Errorf("%s %v", path, err)
	}
}

func TestSystem(t *testing.T) {
	env := map[string]string{"USERPROFILE": "/u", "FLOWMCP_RESOURCES": "/r"}
	if p := System(func(k string) string { return env[k] }); p.Home != "/u" || p.Resources != "/r" {
		t.Errorf("%+v", p)
	}
	env["HOME"] = "/h"
	if p := System(func(k string) string { return env[k] }); p.Home != "/h" {
		t.Errorf("%+v", p)
	}
	if err := CheckBase("myagent"); err != nil {
		t.Error(err)
	}
}
