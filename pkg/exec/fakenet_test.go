package exec

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
)

// fakeNet is a network in memory: names, and at every address that is
// dialled the same TLS server. Nothing leaves the process.
type fakeNet struct {
	names   map[string]string                 // what each look-up gives, "|" between look-ups; the last one stays
	refuse  func(n int, address string) error // fails the n-th dial, from 1; may be nil
	mu      sync.Mutex
	asked   []string // look-ups
	dialled []string // addresses
	conns   chan net.Conn
	done    chan struct{}
}

// newFakeNet serves handler, and makes a client of it.
func newFakeNet(t testing.TB, names map[string]string, o fetch.Options, handler http.HandlerFunc) (*fakeNet,
	*fetch.Client) {
	t.Helper()
	n := &fakeNet{names: names, conns: make(chan net.Conn), done: make(chan struct{})}
	cert, authority := fakeCertificate()
	o.Resolver, o.Dial, o.CAFile = n, n.dial, filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(o.CAFile, authority, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := fetch.NewClient(o)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { _ = server.Serve(tls.NewListener(n, &tls.Config{Certificates: []tls.Certificate{cert}})) }()
	t.Cleanup(func() {
		c.Close()
		_ = server.Close()
	})
	return n, c
}

func (n *fakeNet) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, host)
	host = strings.ToLower(host) // as DNS does
	now, later, more := strings.Cut(n.names[host], "|")
	if more {
		n.names[host] = later
	}
	var addrs []netip.Addr
	for _, a := range strings.Fields(now) {
		addrs = append(addrs, netip.MustParseAddr(a))
	}
	if addrs == nil {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return addrs, nil
}

func (n *fakeNet) dial(ctx context.Context, _, address string) (net.Conn, error) {
	n.mu.Lock()
	n.dialled = append(n.dialled, address)
	count := len(n.dialled)
	n.mu.Unlock()
	if n.refuse != nil {
		if err := n.refuse(count, address); err != nil {
			return nil, err
		}
	}
	near, far := net.Pipe()
	select {
	case n.conns <- far:
		return near, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (n *fakeNet) Accept() (net.Conn, error) {
	select {
	case c := <-n.conns:
		return c, nil
	case <-n.done:
		return nil, net.ErrClosed
	}
}

func (n *fakeNet) Close() error {
	close(n.done)
	return nil
}

func (n *fakeNet) Addr() net.Addr { return &net.TCPAddr{} }

// fakeCertificate is for the hosts of these tests. It was valid in the year in
// which the clock of synctest starts, too.
var fakeCertificate = sync.OnceValues(func() (cert tls.Certificate, authority []byte) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true,
		KeyUsage:  x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		NotBefore: time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC),
		DNSNames: []string{"api.com", "other.com", "inside.com", "xn--bcher-kva.com"},
		IPAddresses: []net.IP{net.ParseIP("93.184.216.34"), net.ParseIP("127.0.0.1"), net.ParseIP("2606:4700::1111"),
			net.ParseIP("10.0.0.1")},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
})
