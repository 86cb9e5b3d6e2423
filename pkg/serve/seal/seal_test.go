package seal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSeal(t *testing.T) {
	k := New()
	sealed := k.Seal([]byte("round 2"), []byte("ada"))
	if text, ok := k.Open(sealed, []byte("ada")); !ok || string(text) != "round 2" {
		t.Errorf("%q %v", text, ok)
	}
	head, tail, _ := strings.Cut(sealed, ".")
	for name, open := range map[string]func() ([]byte, bool){
		"another scope":    func() ([]byte, bool) { return k.Open(sealed, []byte("bob")) },
		"another key":      func() ([]byte, bool) { return New().Open(sealed, []byte("ada")) },
		"another text":     func() ([]byte, bool) { return k.Open("x"+sealed, []byte("ada")) },
		"no signature":     func() ([]byte, bool) { return k.Open(head, []byte("ada")) },
		"a moved border":   func() ([]byte, bool) { return k.Open(head+".ada"+tail, nil) },
		"nothing":          func() ([]byte, bool) { return k.Open("", []byte("ada")) },
		"not base64":       func() ([]byte, bool) { return k.Open(head+".!", []byte("ada")) },
		"only a full stop": func() ([]byte, bool) { return k.Open(".", []byte("ada")) },
	} {
		if text, ok := open(); ok {
			t.Errorf("%s: opened as %q", name, text)
		}
	}
}

func TestRead(t *testing.T) {
	secret := strings.Repeat("0123456789abcdef", 2)
	file := func(text string) string {
		path := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one, err := Read(file(secret))
	if err != nil {
		t.Fatal(err)
	}
	same, err := Read(file(" " + secret + "\r\n")) // as editors and echo write it
	if err != nil || *same != *one {
		t.Errorf("the same secret in another file is another key: %v", err)
	}
	other, err := Read(file(secret + "x"))
	if err != nil || *other == *one {
		t.Errorf("another secret is the same key: %v", err)
	}
	short := secret[1:]
	_, err = Read(file(short))
	if err == nil || strings.Contains(err.Error(), short) ||
		!strings.Contains(err.Error(), "31 bytes, expected 32 or more") {
		t.Errorf("a short secret: %v", err)
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is missing is a key")
	}
}
