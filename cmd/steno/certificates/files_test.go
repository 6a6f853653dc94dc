package certificates

import (
	"crypto/x509"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rs/zerolog"
)

// Files that are replaced are taken; what cannot be used is not, and what was there serves on.
func TestCertificateIsReplaced(t *testing.T) {
	dir := t.TempDir()
	files := &certificateFiles{cert: filepath.Join(dir, "c"), key: filepath.Join(dir, "k"), log: zerolog.Nop()}
	if files.load() == nil {
		t.Error("no files were read")
	}
	age := 0
	put := func(cert, key []byte) {
		t.Helper()
		age++
		for path, text := range map[string][]byte{files.cert: cert, files.key: key} {
			at := time.Now().Add(time.Duration(age) * time.Hour)
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
		}
		files.looked = time.Time{}
	}
	served := func() *x509.Certificate {
		t.Helper()
		c, err := files.certificate(nil)
		if err != nil || c == nil {
			t.Fatalf("%v %v", c, err)
		}
		return c.Leaf
	}
	made := func(name string) (cert, key []byte) {
		t.Helper()
		cert, key, err := newSelfSigned([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		return cert, key
	}
	cert, key := made("one")
	put(cert, key)
	if err := files.load(); err != nil || served().VerifyHostname("one") != nil {
		t.Errorf("first: %v", err)
	}
	put([]byte("no certificate"), key)
	if served().VerifyHostname("one") != nil {
		t.Error("what cannot be used was taken")
	}
	cert, key = made("two")
	put(cert, key)
	if served().VerifyHostname("two") != nil {
		t.Error("the new certificate was not taken")
	}
}
