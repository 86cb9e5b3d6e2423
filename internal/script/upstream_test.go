//go:build unix

package script

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/flowmcp/fmcp/internal/canary"
)

// The server parameters of the scripts: the one of the environment, and the
// one of keys.env. They hold what each encoding writes differently.
const (
	envCanary  = "canary/ENV+7f3a9e51c2&d8=="
	fileCanary = "canary/FILE+b6104ed97a&c3=="
)

// secrets looks for them.
var secrets = canary.For(envCanary, fileCanary)

// upstream is an API that the schemas of a script call, over TLS on loopback.
type upstream struct {
	server *httptest.Server
	ca     []byte // PEM
	files  string // folder of what is below /files/
	calls  atomic.Int64
	posts  sync.Map // how often each body was sent by POST, as *atomic.Int64

	entered chan struct{} // receives when a call of /wait has come
	release chan struct{} // closed to let it go on
}

// placeholderHost is the root that schemas of scripts are written with; the
// upstream's own takes its place.
const placeholderHost = "localhost:18443"

func newUpstream(files string) (*upstream, error) {
	cert, ca, err := selfSigned()
	if err != nil {
		return nil, err
	}
	u := &upstream{ca: ca, files: files, entered: make(chan struct{}, 100), release: make(chan struct{})}
	u.server = httptest.NewUnstartedServer(u)
	u.server.Config.ErrorLog = log.New(io.Discard, "", 0) // clients leave as they like
	u.server.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
	u.server.StartTLS()
	return u, nil
}

// host is "localhost:PORT".
func (u *upstream) host() string {
	_, port, _ := net.SplitHostPort(u.server.Listener.Addr().String())
	return "localhost:" + port
}

// selfSigned makes a certificate for localhost and 127.0.0.1.
func selfSigned() (tls.Certificate, []byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "fmcp test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IsCA:        true, BasicConstraintsValid: true,
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, ca, nil
}

// ServeHTTP answers with what it was asked: method, path, query, headers, body.
// Server parameters come back in every form, as a careless API would do.
func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	u.calls.Add(1)
	body, _ := io.ReadAll(r.Body)
	if r.Method == http.MethodPost {
		n, _ := u.posts.LoadOrStore(string(body), &atomic.Int64{})
		n.(*atomic.Int64).Add(1)
	}
	switch {
	case strings.HasPrefix(r.URL.Path, "/status/"):
		code := 0
		_, _ = fmt.Sscanf(r.URL.Path, "/status/%d", &code)
		w.WriteHeader(code)
		_, _ = fmt.Fprintf(w, `{"error":"you sent %s"}`, r.Header.Get("Authorization"))
		return
	case strings.HasPrefix(r.URL.Path, "/files/"):
		http.ServeFile(w, r, filepath.Join(u.files, strings.TrimPrefix(path.Clean(r.URL.Path), "/files")))
		return
	case r.URL.Path == "/text":
		_, _ = io.WriteString(w, "this is not JSON")
		return
	case r.URL.Path == "/large":
		_, _ = w.Write(bytes.Repeat([]byte(" "), 1<<20))
		return
	case strings.HasPrefix(r.URL.Path, "/rows"):
		rows := 50_000
		_, _ = fmt.Sscanf(r.URL.Path, "/rows/%d", &rows)
		_, _ = fmt.Fprintf(w, "[%s0]", strings.Repeat(`{"id":12345,"name":"of a row"},`, rows))
		return
	case r.URL.Path == "/wait":
		u.entered <- struct{}{}
		select {
		case <-u.release:
		case <-r.Context().Done():
			return
		}
	}
	secret := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	answer := map[string]any{
		"method": r.Method, "path": r.URL.EscapedPath(), "query": r.URL.RawQuery, "body": string(body),
		"accept": r.Header.Get("Accept"), "contentType": r.Header.Get("Content-Type"),
		"echo": []string{secret, url.QueryEscape(secret), base64.StdEncoding.EncodeToString([]byte(secret)),
			hex.EncodeToString([]byte(secret))},
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

// upstreamCommand starts the API of a script: its schemas get the API's
// address as their root, ca.pem is its certificate, $UPSTREAM its host and
// port, and NET the flags that let a command call it. Below /files/ it has the
// files of the script's folder files.
func upstreamCommand(ts *testscript.TestScript, neg bool, _ []string) {
	noNeg(ts, neg)
	u, err := newUpstream(filepath.Join(stateOf(ts).work, "files"))
	ts.Check(err)
	stateOf(ts).upstream = u
	ts.Setenv("UPSTREAM", u.host())
	ts.Setenv("NET", "--ca-file "+ts.MkAbs("ca.pem")+" --allow-host "+u.host())
	ts.Check(u.install(stateOf(ts).work))
}

// install writes the certificate into dir and the address into the schemas
// below it.
func (u *upstream) install(dir string) error {
	if err := os.WriteFile(filepath.Join(dir, "ca.pem"), u.ca, 0o666); err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(p) != ".mjs" || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return os.WriteFile(p, bytes.ReplaceAll(text, []byte(placeholderHost), []byte(u.host())), 0o666)
	})
}
