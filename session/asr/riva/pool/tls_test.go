package pool_test

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"steno/cmd/cmdtest"
	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/asrtest/corpus"
	"steno/session/asr/riva"
)

// authority signs certificates, all of them in files.
type authority struct {
	dir  string
	file string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &authority{dir: t.TempDir(), key: key}
	a.cert = &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotAfter: time.Now().Add(time.Hour),
		IsCA:     true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	a.file = a.write(t, "ca", a.cert, key)
	return a
}

// write signs a certificate and returns its file, next to which is the key's.
func (a *authority) write(t *testing.T, name string, template *x509.Certificate, key *ecdsa.PrivateKey) string {
	t.Helper()
	cert, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(a.dir, name)
	if err := errors.Join(
		os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}), 0o600),
		os.WriteFile(path+".key", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	return path
}

// issue returns the file of a certificate for servers of a name, or at 127.0.0.1, and for clients.
func (a *authority) issue(t *testing.T, name string) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if name == "127.0.0.1" {
		template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	} else {
		template.DNSNames = []string{name}
	}
	return a.write(t, name, template, key)
}

func config(t *testing.T, f riva.TLSFiles) *tls.Config {
	t.Helper()
	c, err := f.Config()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// remote starts the real program on a port and returns its address.
func remote(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(cmdtest.Build(t, "steno-engine"), append(args, "--listen=127.0.0.1:0")...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		timer := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
		if err := cmd.Wait(); err != nil {
			t.Errorf("engine: %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	_, address, ready := strings.Cut(strings.TrimSpace(line), " ready on ")
	if err != nil || !ready {
		t.Fatalf("engine wrote %q, %v", line, err)
	}
	return address
}

// TestRemoteEngines puts the suite through real engine processes over TLS, certificates on both
// sides.
func TestRemoteEngines(t *testing.T) {
	a := newAuthority(t)
	server, client := a.issue(t, "127.0.0.1"), a.issue(t, "gateway")
	secure := []string{"--tls-cert=" + server, "--tls-key=" + server + ".key", "--tls-ca=" + a.file, "--drain=100ms"}
	tlsConfig := config(t, riva.TLSFiles{CA: a.file, Certificate: client, Key: client + ".key"})
	open := func(args ...string) func(*testing.T) asr.Recognizer {
		return func(t *testing.T) asr.Recognizer {
			args := append(args, secure...)
			c := quick(remote(t, args...), remote(t, args...))
			c.Client.TLS = tlsConfig
			return newPool(t, c)
		}
	}
	t.Run("Scripted", func(t *testing.T) {
		asrtest.Run(t, open("--engine=scripted"), asrtest.Ramp(2*asr.Rate, 1), asrtest.Ramp(5*asr.Rate, 77),
			asrtest.Ramp(700, 5))
	})
	t.Run("Sphinx", func(t *testing.T) {
		if os.Getenv("STENO_TEST_ALL") == "" {
			t.Skip("decodes real speech many times over: STENO_TEST_ALL=1 does")
		}
		asrtest.Run(t, open("--engine=sphinx"), recording(t, "goforward.raw"), recording(t, "something.raw"))
	})
}

// recording is one of Debian's, for its model of English.
func recording(t *testing.T, name string) []int16 {
	t.Helper()
	if _, err := os.Stat("/usr/share/pocketsphinx/model/en-us/en-us"); err != nil {
		t.Skip("package pocketsphinx-en-us is not installed")
	}
	return corpus.Debian(t, name)
}

// TestWhoIsTrusted tries every kind of certificate on every kind of client.
func TestWhoIsTrusted(t *testing.T) {
	ours, theirs := newAuthority(t), newAuthority(t)
	client, stranger, named := ours.issue(t, "gateway"), theirs.issue(t, "gateway"), ours.issue(t, "engine.example")
	serve := func(file string, mutual bool) string {
		pair, err := tls.LoadX509KeyPair(file, file+".key")
		if err != nil {
			t.Fatal(err)
		}
		c := &tls.Config{Certificates: []tls.Certificate{pair}}
		if mutual {
			c.ClientCAs = x509.NewCertPool()
			c.ClientCAs.AddCert(config509(t, ours.file))
			c.ClientAuth = tls.RequireAndVerifyClientCert
		}
		return newNode(t, c).address
	}
	plain, open, mutual := newNode(t, nil).address, serve(ours.issue(t, "127.0.0.1"), false),
		serve(ours.issue(t, "127.0.0.1"), true)
	other := serve(named, false)
	for name, test := range map[string]struct {
		address string
		files   *riva.TLSFiles // nil: plain text
		want    string         // in the error; empty: none; "refused": the text depends on who is faster
	}{
		"plain":                {plain, nil, ""},
		"known authority":      {open, &riva.TLSFiles{CA: ours.file}, ""},
		"system's authorities": {open, &riva.TLSFiles{}, "unknown authority"},
		"another authority":    {open, &riva.TLSFiles{CA: theirs.file}, "unknown authority"},
		"plain to TLS":         {open, nil, "refused"},
		"TLS to plain":         {plain, &riva.TLSFiles{CA: ours.file}, "handshake"},
		"another name":         {other, &riva.TLSFiles{CA: ours.file}, "127.0.0.1"},
		"the name by setting":  {other, &riva.TLSFiles{CA: ours.file, ServerName: "engine.example"}, ""},
		"client certificate": {mutual, &riva.TLSFiles{CA: ours.file, Certificate: client, Key: client +
			".key"}, ""},
		"no client certificate": {mutual, &riva.TLSFiles{CA: ours.file}, "refused"},
		"stranger's certificate": {mutual, &riva.TLSFiles{CA: ours.file, Certificate: stranger, Key: stranger +
			".key"}, "refused"},
		"certificate nobody asks": {open, &riva.TLSFiles{CA: ours.file, Certificate: stranger, Key: stranger +
			".key"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := quick(test.address)
			c.MinBackoff, c.MaxBackoff = time.Hour, time.Hour
			if test.files != nil {
				c.Client.TLS = config(t, *test.files)
			}
			_, err := newPool(t, c).Open(t.Context(), asr.Params{})
			switch {
			case test.want == "" && err != nil:
				t.Errorf("open: %v", err)
			case test.want != "" && !errors.Is(err, asr.ErrUnavailable):
				t.Errorf("open: %v, want ErrUnavailable", err)
			case test.want != "" && test.want != "refused" && !strings.Contains(err.Error(), test.want):
				t.Errorf("open: %v, want an error with %q", err, test.want)
			}
		})
	}
}

func config509(t *testing.T, file string) *x509.Certificate {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(b)
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return cert
}

func TestTLSFilesThatAreWrong(t *testing.T) {
	a := newAuthority(t)
	cert, other := a.issue(t, "a"), a.issue(t, "b")
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		files riva.TLSFiles
		want  string
	}{
		"no such authority": {riva.TLSFiles{CA: "/nonexistent/ca"}, "/nonexistent/ca"},
		"no certificate":    {riva.TLSFiles{CA: empty}, empty},
		"no key":            {riva.TLSFiles{Certificate: cert}, "has no key"},
		"key alone":         {riva.TLSFiles{Key: cert + ".key"}, "has no certificate"},
		"another's key":     {riva.TLSFiles{Certificate: cert, Key: other + ".key"}, cert},
		"not a key":         {riva.TLSFiles{Certificate: cert, Key: empty}, empty},
	} {
		if _, err := test.files.Config(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want an error with %q", name, err, test.want)
		}
	}
}
