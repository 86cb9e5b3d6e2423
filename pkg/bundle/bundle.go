// Package bundle makes files by which others install a server: an MCP bundle
// (.mcpb), and server.json for the registry of servers.
package bundle

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/flowmcp/fmcp/pkg/ordjson"
	"github.com/flowmcp/fmcp/pkg/words"
)

// Server is what is bundled.
type Server struct {
	Name        string // of letters, digits, _ and -
	Title       string
	Version     string
	Description string
	Author      string
	Args        []string // flags of the server
	Keys        []Key    // that it reads from its environment
	Binaries    []Binary // the first is for systems that have none of their own
	Catalog     []byte
	Files       []File // data of its resources
}

// File is a file beside the catalog.
type File struct {
	Name string // in the bundle, with slashes
	Path string
}

// Key is a server parameter.
type Key struct {
	Name        string
	Description string
	Required    bool // no tool can do without
}

// Binary is the command of the server for a system.
type Binary struct {
	system string // as bundles name it
	file   string
}

// catalogName is the catalog in a bundle.
const catalogName = "catalog.ndjson"

// magics are what the commands of a system begin with.
var magics = []struct{ magic, system string }{
	{"\x7fELF", "linux"},
	{"\xcf\xfa\xed\xfe", "darwin"},
	{"\xca\xfe\xba\xbe", "darwin"}, // for several processors
	{"MZ", "win32"},
}

// OpenBinary looks for which system a command is.
func OpenBinary(file string) (Binary, error) {
	f, err := os.Open(file)
	if err != nil {
		return Binary{}, words.Cause(err)
	}
	defer f.Close()
	head := make([]byte, 4)
	if _, err := io.ReadFull(f, head); err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return Binary{}, words.Cause(err)
	}
	for _, m := range magics {
		if strings.HasPrefix(string(head), m.magic) {
			return Binary{m.system, file}, nil
		}
	}
	return Binary{}, fmt.Errorf("it is not a command for Linux, macOS or Windows")
}

// path is where the command is in a bundle.
func (b Binary) path() string {
	name := "server/" + b.system + "/fmcp-serve"
	if b.system == "win32" {
		name += ".exe"
	}
	return name
}

// Check says what is wrong with a server.
func (s *Server) Check() error {
	for i, b := range s.Binaries {
		twin := slices.IndexFunc(s.Binaries[:i], func(other Binary) bool { return other.system == b.system })
		if twin >= 0 {
			return fmt.Errorf("%s and %s are both for %s, of which a bundle has one", s.Binaries[twin].file, b.file,
				b.system)
		}
	}
	return nil
}

// Write writes the bundle. What goes in being the same, so are the bytes.
func (s *Server) Write(w io.Writer) error {
	z := zip.NewWriter(w)
	manifest := append(ordjson.AppendIndent(nil, s.manifest(), ""), '\n')
	if err := add(z, "manifest.json", 0o644, bytes.NewReader(manifest)); err != nil {
		return err
	}
	if err := add(z, catalogName, 0o644, bytes.NewReader(s.Catalog)); err != nil {
		return err
	}
	for _, f := range s.Files {
		if err := copyFile(z, f.Name, 0o644, f.Path); err != nil {
			return err
		}
	}
	for _, b := range s.Binaries {
		if err := copyFile(z, b.path(), 0o755, b.file); err != nil {
			return err
		}
	}
	return z.Close()
}

func copyFile(z *zip.Writer, name string, mode os.FileMode, from string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	return add(z, name, mode, f)
}

// made is when all files of a bundle were: the first time that the format knows.
var made = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func add(z *zip.Writer, name string, mode os.FileMode, from io.Reader) error {
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: made}
	header.SetMode(mode)
	w, err := z.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, from)
	return err
}
