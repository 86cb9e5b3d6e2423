package queue

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flowmcp/fmcp/internal/nats"
)

// certificate writes one for 127.0.0.1, of servers and clients, which signs itself, and its key.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true,
		BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, typ string, der []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: typ, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("cert.pem", "CERTIFICATE", der), write("key.pem", "PRIVATE KEY", pkcs8)
}

// Who connects, and whose certificate is trusted, the environment says. No error shows a
// password or a key.
func TestConnect(t *testing.T) {
	cert, key := certificate(t)
	creds := filepath.Join("testdata", "user.creds")
	none := filepath.Join(t.TempDir(), "none")
	type env = map[string]string
	for name, server := range map[string]struct {
		args []string
		good env
		bad  map[string]env // by what the error says
	}{
		"password": {[]string{"--user", "worker", "--pass", "hush-hush"},
			env{"NATS_USER": "worker", "NATS_PASSWORD": "hush-hush"}, map[string]env{
				"Authorization Violation":       {"NATS_USER": "worker", "NATS_PASSWORD": "hush-hash"},
				"nats: Authorization Violation": {},
			}},
		"tls": {[]string{"--tls", "--tlscert", cert, "--tlskey", key}, env{"NATS_CA": cert}, map[string]env{
			"certificate signed by unknown authority": {},
			"no such file or directory":               {"NATS_CA": none},
			"failed to parse root certificate":        {"NATS_CA": key},
		}},
		"mutual tls": {[]string{"--tlsverify", "--tlscert", cert, "--tlskey", key, "--tlscacert", cert},
			env{"NATS_CA": cert, "NATS_CERT": cert, "NATS_KEY": key}, map[string]env{
				"no connection to the NATS server nats://": {"NATS_CA": cert}, // however it hangs up
				"error loading client certificate":         {"NATS_CERT": cert}}},
		"credentials": {[]string{"-c", filepath.Join("testdata", "server.conf")}, env{"NATS_CREDS": creds},
			map[string]env{
				"Authorization Violation":   {},
				"no such file or directory": {"NATS_CREDS": none},
				"no nkey seed found":        {"NATS_CREDS": cert},
			}},
	} {
		t.Run(name, func(t *testing.T) {
			url := nats.Start(t, 1, server.args...)[0].URL
			open := func(scheme string, e env) error {
				_, host, _ := strings.Cut(url, "://")
				o := options(scheme+"://"+host, "REQUESTS", "answers")
				o.Setup, o.Getenv = true, func(key string) string { return e[key] }
				q, err := Open(t.Context(), o)
				if err == nil {
					q.Close()
				}
				return err
			}
			for _, scheme := range []string{"nats", "tls"} {
				if scheme == "tls" && !strings.HasSuffix(name, "tls") {
					continue
				}
				if err := open(scheme, server.good); err != nil {
					t.Error(scheme, err)
				}
			}
			for want, e := range server.bad {
				err := open("nats", e)
				if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hush") {
					t.Errorf("%v: %v, want %q", e, err, want)
				}
			}
		})
	}
}
