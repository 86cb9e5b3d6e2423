package http

import (
	"crypto/tls"
	"fmt"
	"os"
	"sync"
	"time"
)

// Certificate is the configuration of TLS with a certificate and key of files,
// which are read again when the certificate has changed: they are renewed while
// the server runs.
func Certificate(cert, key string, warn func(text string)) (*tls.Config, error) {
	f := &certificate{cert: cert, key: key, warn: warn}
	if err := f.read(); err != nil {
		return nil, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: f.get}, nil
}

type certificate struct {
	cert, key string
	warn      func(string)

	mu   sync.Mutex
	seen time.Time // when the file was changed that was looked at last
	pair tls.Certificate
}

func (f *certificate) read() error {
	info, err := os.Stat(f.cert)
	if err != nil {
		return fmt.Errorf("--tls-cert: %w", err)
	}
	if info.ModTime().Equal(f.seen) {
		return nil
	}
	f.seen = info.ModTime()
	pair, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return fmt.Errorf("--tls-cert %s with --tls-key %s: %w", f.cert, f.key, err)
	}
	f.pair = pair
	return nil
}

// get is the certificate of a connection. The one there was stays where the new
// one is of no use.
func (f *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.read(); err != nil {
		f.warn(err.Error() + "; the certificate that was there before is used")
	}
	pair := f.pair
	return &pair, nil
}
