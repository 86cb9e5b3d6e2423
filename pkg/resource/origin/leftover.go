package origin

import "os"

// Leftover is the path of a file beside a database, which need not exist, that
// SQLite would play back into it: the log or journal of another database of
// that name, whose writer was killed. It is "" if there is none.
func Leftover(path string) string {
	for _, suffix := range []string{"-wal", "-journal"} {
		if info, err := os.Lstat(path + suffix); err == nil && info.Size() > 0 {
			return path + suffix
		}
	}
	return ""
}
