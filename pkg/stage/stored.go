package stage

import (
	"os"
	"path"

	"github.com/flowmcp/fmcp/pkg/resource/origin"
)

// stored reports whether this machine has the file of a resource whose origin
// is project or global; a project is the current folder. What cannot be looked
// at is taken to be there. name has no folders in it.
func stored(from, name string) bool {
	places := origin.System(os.Getenv)
	place, err := places.File(from, name, path.Ext(name), "")
	return err != nil || !place.Missing()
}
