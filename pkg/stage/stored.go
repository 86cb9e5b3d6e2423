package stage

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/flowmcp/fmcp/pkg/model"
)

// baseFolder is the folder in which projects and users keep resources (chapter
// 13, "Base Folder").
const baseFolder = ".flowmcp"

// stored reports whether this machine has the file of a resource whose origin
// is project or global; a project is the current folder. What cannot be looked
// at is taken to be there. name has no folders in it.
func stored(origin, name string) bool {
	dir := ""
	if origin == model.Global {
		home, err := os.UserHomeDir()
		if err != nil {
			return true
		}
		dir = home
	}
	info, err := os.Stat(filepath.Join(dir, baseFolder, "resources", name))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return info.Mode().IsRegular()
}
