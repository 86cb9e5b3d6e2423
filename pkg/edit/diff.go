package edit

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff is what changed in a file, for patch -p1 and git apply: a unified diff,
// empty where nothing did. path is the file's, with slashes, from the folder in
// which the patch is applied. The error says that no patch can name the path.
func Diff(path, before, after string) (string, error) {
	for _, part := range strings.Split(path, "/") {
		if part == "" || part == "." || part == ".." {
			return "", fmt.Errorf("the path %q does not lead into the folder where the patch is applied", path)
		}
	}
	unnamable := func(r rune) bool { return r == '"' || r == '\\' || r != ' ' && !unicode.IsPrint(r) }
	if strings.ContainsFunc(path, unnamable) {
		return "", fmt.Errorf("the path %q has characters that a patch cannot name", path)
	}
	end := ""
	if strings.Contains(path, " ") {
		end = "\t" // where a name with spaces ends
	}
	return string(diff.Diff("a/"+path+end, []byte(before), "b/"+path+end, []byte(after))), nil
}
