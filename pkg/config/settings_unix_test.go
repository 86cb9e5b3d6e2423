//go:build unix

package config

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe that came with the project makes no command wait.
func TestProjectPipe(t *testing.T) {
	for _, name := range []string{envName, settingsName} {
		t.Chdir(t.TempDir())
		if err := os.Mkdir(Folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(filepath.Join(Folder, name), 0o600); err != nil {
			t.Skip(err)
		}
		if _, err := ReadSettings("", true, nil); err == nil ||
			!strings.Contains(err.Error(), name+": is not a regular file, and is not read") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
