package network

import (
	"os"
	"path/filepath"
	"time"

	"github.com/flowmcp/fmcp/pkg/cli"
	"github.com/flowmcp/fmcp/pkg/exec"
	"github.com/flowmcp/fmcp/pkg/resource"
	"github.com/flowmcp/fmcp/pkg/resource/origin"
)

// Resources are the flags that say where the data of resources is (chapter 13,
// "Origin System").
type Resources struct {
	Base      string        `group:"Resources" default:"flowmcp" placeholder:"NAME" help:"Base folder: resources of the project are in .NAME/resources, of the user in ~/.NAME/resources (default: flowmcp)."`
	Project   string        `group:"Resources" placeholder:"DIR" help:"Folder of the project (default: the current folder)."`
	Root      string        `group:"Resources" placeholder:"DIR" help:"Folder that the schemas of the catalog were resolved from, for data beside a schema (default: the catalog if it is a folder, else the folder of its file)."`
	QueryTime time.Duration `group:"Resources" default:"10s" placeholder:"TIME" help:"For a query of a database (default: 10s)."`
}

// Open gives a caller the data of resources, and the limits of what it asks of
// them.
func (r *Resources) Open(app *cli.App, caller *exec.Caller, calls *CallFlags, cache CacheFlags) error {
	store, err := r.Store(app)
	if err != nil {
		return err
	}
	store.Remote = resource.Remote{Fetcher: caller.Client, Refresh: cache.Refresh, NoCache: cache.NoCache}
	store.MaxDocument = int64(calls.MaxResponse)
	caller.Resources, caller.QueryTime = store, r.QueryTime
	return nil
}

// Store makes what opens the data of resources. Nothing is opened
// before it is asked.
func (r *Resources) Store(app *cli.App) (*resource.Store, error) {
	if err := origin.CheckBase(r.Base); err != nil {
		return nil, cli.Usagef("--base: %v", err)
	}
	if r.QueryTime <= 0 {
		return nil, cli.Usagef("--query-time is %s, expected more than 0, such as 10s", r.QueryTime)
	}
	if info, err := os.Stat(r.Project); r.Project != "" && (err != nil || !info.IsDir()) {
		return nil, cli.Usagef("--project %s is not a folder", r.Project)
	}
	places := origin.System(app.IO.Getenv)
	places.Base, places.Project = r.Base, r.Project
	return &resource.Store{Places: places}, nil
}

// Folder is the folder that a catalog's schemas were most likely resolved from:
// paths in a catalog are relative, so that it can be moved with its data.
func (r *Resources) Folder(catalog string) string {
	if r.Root != "" {
		return r.Root
	}
	if info, err := os.Stat(catalog); err == nil && info.IsDir() {
		return catalog
	}
	return filepath.Dir(catalog)
}
