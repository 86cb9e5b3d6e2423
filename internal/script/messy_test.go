//go:build unix

package script

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
)

// messyCatalog makes dir/messy: the files of testdata/script/messy, and beside
// them what a repository cannot hold, or had better not.
func messyCatalog(dir string) error {
	dir = filepath.Join(dir, "messy")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(repo, "testdata", "script", "messy"))); err != nil {
		return err
	}
	odd := filepath.Join(dir, "providers", "odd")
	if err := os.MkdirAll(filepath.Join(odd, "ignored"), 0o777); err != nil {
		return err
	}
	files := map[string]string{
		"latin1.mjs":      "// Latin-1\nexport const main = { name: 'M\xfcller' }\n",
		"ignored/any.mjs": "export const main = {}\n",
		".gitignore":      "ignored/\n",
		"bom.mjs":         "\ufeffexport const main = { namespace: 'odd', name: 'Bom', version: '4.0.0' }\r\n",
		"empty.mjs":       "",
		"zero.mjs":        "export const main = { name: '\x00' }\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(odd, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	links := map[string]string{"loop.mjs": "loop.mjs", "broken.mjs": "nowhere.mjs", "up": "..",
		"inside.mjs": "bom.mjs/x.mjs"}
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(odd, name)); err != nil {
			return err
		}
	}
	if err := syscall.Mkfifo(filepath.Join(odd, "fifo.mjs"), 0o666); err != nil {
		return err
	}
	// A device, without the right to make one.
	if err := os.Symlink(os.DevNull, filepath.Join(odd, "device.mjs")); err != nil {
		return err
	}
	return socket(filepath.Join(odd, "socket.mjs"))
}

// socket makes a Unix socket. It is made under a short name, since the names of
// sockets are limited to about a hundred bytes.
func socket(name string) error {
	short, err := os.MkdirTemp("", "s")
	if err != nil {
		return err
	}
	defer os.RemoveAll(short)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(short, "s"), Net: "unix"})
	if err != nil {
		return err
	}
	l.SetUnlinkOnClose(false)
	if err := l.Close(); err != nil {
		return err
	}
	return os.Rename(filepath.Join(short, "s"), name)
}
