package http

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// writeCertificate writes a certificate with a serial number, and its key.
func writeCertificate(t *testing.T, dir string, serial int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour)}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"key.pem": {Type: "PRIVATE KEY", Bytes: secret},
		"cert.pem": {Type: "CERTIFICATE", Bytes: cert}} {
		writeAged(t, filepath.Join(dir, name), pem.EncodeToMemory(block), serial)
	}
}

// writeAged writes a file that was changed so many seconds after 1970.
func writeAged(t *testing.T, path string, text []byte, at int64) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Unix(at, 0), time.Unix(at, 0)); err != nil {
		t.Fatal(err)
	}
}

// A certificate that is renewed counts for the next connection; one that is of
// no use does not.
func TestCertificateIsReadAgain(t *testing.T) {
	dir := t.TempDir()
	cert := filepath.Join(dir, "cert.pem")
	writeCertificate(t, dir, 1)
	warned := 0
	config, err := Certificate(cert, filepath.Join(dir, "key.pem"), func(string) { warned++ })
	if err != nil {
		t.Fatal(err)
	}
	expect := func(serial int64, warnings int) {
		t.Helper()
		got, err := config.GetCertificate(nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := got.Leaf.SerialNumber.Int64(); n != serial || warned != warnings {
			t.Errorf("certificate %d after %d warnings, want %d after %d", n, warned, serial, warnings)
		}
	}
	expect(1, 0)
	writeCertificate(t, dir, 2)
	expect(2, 0)
	writeAged(t, cert, []byte("half"), 3)
	expect(2, 1)
	expect(2, 1)
	writeCertificate(t, dir, 4)
	expect(4, 1)
	if _, err := Certificate(filepath.Join(dir, "none"), cert, nil); err == nil {
		t.Error("a certificate that is not there is accepted")
	}
}
