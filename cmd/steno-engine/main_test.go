package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"steno/session/asr"
	"steno/session/asr/riva"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == trial { // started by a test's engine, for which this is its program
		main()
		return
	}
	goleak.VerifyTestMain(m)
}

// program is a run of the program.
type program struct {
	address string // as dialled
	stdin   *io.PipeWriter
	cancel  context.CancelFunc
	done    chan error
	stderr  output
}

// output is what a program has written so far.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// start runs the program and waits until it reports that it is ready.
func start(t *testing.T, args ...string) *program {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	stdinReader, stdin := io.Pipe()
	stdoutReader, stdout := io.Pipe()
	e := &program{stdin: stdin, cancel: cancel, done: make(chan error, 1)}
	go func() {
		err := run(ctx, args, stdinReader, stdout, &e.stderr)
		_ = stdout.CloseWithError(err)
		e.done <- err
	}()
	line, err := bufio.NewReader(stdoutReader).ReadString('\n')
	if err != nil {
		t.Fatalf("ready line %q: %v", line, err)
	}
	_, e.address, _ = strings.Cut(strings.TrimSpace(line), " ready on ")
	if strings.HasPrefix(e.address, "/") {
		e.address = "unix:" + e.address
	}
	t.Cleanup(func() {
		cancel()
		_ = stdin.Close()
	})
	return e
}

// wait returns how the program ended.
func (e *program) wait(t *testing.T) {
	t.Helper()
	if err := <-e.done; err != nil {
		t.Errorf("run: %v", err)
	}
}

func dial(t *testing.T, c riva.Config) *riva.Recognizer {
	t.Helper()
	r, err := riva.Dial(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func recognize(t *testing.T, r asr.Recognizer) {
	t.Helper()
	u, err := r.Open(t.Context(), asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	samples := make([]int16, asr.Rate)
	samples[5] = 1
	if err := errors.Join(u.Write(samples), u.End()); err != nil {
		t.Fatal(err)
	}
	if result, err := u.Recv(); err != nil || len(result.Words) == 0 || result.Engine != "scripted" {
		t.Errorf("result %+v, %v", result, err)
	}
}

func TestUnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	for range 2 { // the second time beside what a killed process left
		stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
		if err != nil {
			t.Fatal(err)
		}
		stale.SetUnlinkOnClose(false)
		if err := stale.Close(); err != nil {
			t.Fatal(err)
		}
		e := start(t, "--engine=scripted", "--listen=unix:"+path)
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("socket %v, %v; want mode 0600", info.Mode(), err)
		}
		recognize(t, dial(t, riva.Config{Address: e.address}))
		if err := run(t.Context(), []string{"--engine=scripted", "--listen=unix:" + path}, nil, io.Discard,
			io.Discard); err == nil {
			t.Error("a socket in use was taken over")
		}
		e.cancel()
		e.wait(t)
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("socket left behind: %v", err)
		}
	}
}

func TestEndsWithStdin(t *testing.T) {
	e := start(t, "--engine=scripted", "--listen=127.0.0.1:0", "--exit-with-stdin")
	recognize(t, dial(t, riva.Config{Address: e.address}))
	if err := e.stdin.Close(); err != nil {
		t.Fatal(err)
	}
	e.wait(t)
}

func TestTLS(t *testing.T) {
	certificate, key, roots := selfSigned(t)
	e := start(t, "--engine=scripted", "--listen=127.0.0.1:0", "--tls-cert="+certificate, "--tls-key="+key)
	recognize(t, dial(t, riva.Config{Address: e.address, TLS: &tls.Config{RootCAs: roots}}))
	for name, c := range map[string]riva.Config{
		"in the clear": {Address: e.address}, "untrusted": {Address: e.address,
			TLS: &tls.Config{RootCAs: x509.NewCertPool()}},
	} {
		if _, err := dial(t, c).Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("%s: %v, want ErrUnavailable", name, err)
		}
	}
	e.cancel()
	e.wait(t)
}

func TestClientCertificates(t *testing.T) {
	certificate, key, roots := selfSigned(t)
	e := start(t, "--engine=scripted", "--listen=127.0.0.1:0", "--tls-cert="+certificate, "--tls-key="+key,
		"--tls-ca="+certificate)
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	known := &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}}
	recognize(t, dial(t, riva.Config{Address: e.address, TLS: known}))
	stranger := dial(t, riva.Config{Address: e.address, TLS: &tls.Config{RootCAs: roots}})
	if _, err := stranger.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("without a certificate: %v, want ErrUnavailable", err)
	}
	e.cancel()
	e.wait(t)
}

// selfSigned writes a certificate for 127.0.0.1 and its key.
func selfSigned(t *testing.T) (certificate, key string, roots *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certificate, key = filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	certificatePEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	keyPEM := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})
	if err := errors.Join(os.WriteFile(certificate, certificatePEM, 0o600), os.WriteFile(key, keyPEM, 0o600)); err !=
		nil {
		t.Fatal(err)
	}
	roots = x509.NewCertPool()
	roots.AppendCertsFromPEM(certificatePEM)
	return certificate, key, roots
}

func TestRefusedFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ args, want string }{
		"nowhere":        {"--engine=scripted", "--listen"},
		"all interfaces": {"--engine=scripted --listen=:0", "--public"},
		"all addresses":  {"--engine=scripted --listen=0.0.0.0:0", "--public"},
		"all of IPv6":    {"--engine=scripted --listen=[::]:0", "--public"},
		"no port":        {"--engine=scripted --listen=localhost", "port"},
		"no path":        {"--engine=scripted --listen=unix:", "path"},
		"a file":         {"--engine=scripted --listen=unix:" + file, "no socket"},
		"unknown engine": {"--engine=magic --listen=127.0.0.1:0", "magic"},
		"half of TLS":    {"--engine=scripted --listen=127.0.0.1:0 --tls-key=x", "both"},
		"only a CA":      {"--engine=scripted --listen=127.0.0.1:0 --tls-ca=x", "both"},
		"no certificate": {"--engine=scripted --listen=127.0.0.1:0 --tls-key=x --tls-cert=y", "certificate"},
		"TLS on unix":    {"--engine=scripted --listen=unix:x --tls-key=x --tls-cert=y", "Unix"},
		"negative cost":  {"--engine=scripted --listen=127.0.0.1:0 --scripted-delay=-1s", "negative"},
		"no folder":      {"--engine=sherpa --listen=127.0.0.1:0", "--models"},
		"many slots":     {"--engine=sherpa --listen=127.0.0.1:0 --models=/nonexistent --slots=65", "slots"},
		"probe nothing":  {"probe", "no folder"},
		"no model":       {"--engine=sphinx --listen=127.0.0.1:0 --model=/nonexistent", "sphinx"},
	} {
		err := run(t.Context(), strings.Fields(test.args), nil, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want an error with %q", name, err, test.want)
		}
	}
}

func TestHelp(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"--help"}, nil, &out, io.Discard); err != nil ||
		!strings.Contains(out.String(), "--listen") {
		t.Errorf("help %q, %v", out.String(), err)
	}
}
