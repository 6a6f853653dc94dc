package doctor

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steno/cmd/steno/config"
	"steno/cmd/steno/recognizers"
	"steno/gateway/limits"
	"steno/session/store"
	"steno/session/store/embedded"
)

// examined is what a doctor finds, by check.
type examined map[string]Finding

// examine looks at a deployment that the environment configures.
func examine(t *testing.T, environ ...string) examined { return collect(t, false, environ) }

// collect returns what is found, each of it once, with a fix unless it is fine.
func collect(t *testing.T, askPublic bool, environ []string) examined {
	t.Helper()
	cfg, err := config.Load("", environ)
	if err == nil {
		err = cfg.Check()
	}
	if err != nil {
		return examined{"configuration": Misconfigured(err)}
	}
	all := examined{}
	for f := range (Deployment{recognizers.Setup{Config: cfg, Environ: environ}, askPublic}).Findings(t.Context()) {
		if _, twice := all[f.Check]; twice {
			t.Errorf("%s is found twice", f.Check)
		}
		if (f.Fix == "") != (f.Level == Fine) {
			t.Errorf("%s is %s, with the fix %q", f.Check, f.Level, f.Fix)
		}
		all[f.Check] = f
	}
	return all
}

// wants fails unless the check has found what has that level.
func (e examined) wants(t *testing.T, check string, want Level, text string) {
	t.Helper()
	f, ok := e[check]
	if !ok || f.Level != want || !strings.Contains(f.Detail+f.Fix, text) {
		t.Errorf("%s is %+v, want %s with %q", check, f, want, text)
	}
}

// quick are variables with which no engine starts, and no sandbox is tried.
func quick(dir string) []string {
	return []string{"STENO_DATA=" + dir, "STENO_ENGINE=scripted", "STENO_RECORDINGS_SANDBOX=off"}
}

func TestDoctorHost(t *testing.T) {
	dir := t.TempDir()
	good := examine(t, "STENO_DATA="+dir, "STENO_ENGINE=scripted", "STENO_API_KEYS=sixteen-letters1",
		"STENO_LIMITS_FREE_DISK_BYTES=1")
	for _, check := range []string{"configuration", "data folder", "disk", "open files", "API keys", "public URL"} {
		good.wants(t, check, Fine, "")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("the data folder has %v, %v", entries, err)
	}

	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	examine(t, "STENO_DATA="+file).wants(t, "data folder", Failure, "chown")
	examine(t, "STENO_DATA="+filepath.Join(dir, "new", "folder")).wants(t, "data folder", Fine, "new/folder")
	bad := examine(t, append(quick(t.TempDir()), "STENO_API_KEYS=short",
		"STENO_LIMITS_FREE_DISK_BYTES=9000000000000000000")...)
	bad.wants(t, "API keys", Failure, "STENO_API_KEYS")
	bad.wants(t, "disk", Failure, "retention")
	if _, err := exec.LookPath("ffmpeg"); err == nil {
		bad.wants(t, "recorded files", Warning, "recordings.sandbox")
	}
	if f := judgeDescriptors(300, limits.Limits{Sessions: 1000}); f.Level != Warning {
		t.Errorf("300 descriptors for 1000 sessions: %+v", f)
	}
	examine(t, append(quick(t.TempDir()), "STENO_LIMITS_IDLE=0s")...).wants(t, "configuration", Failure, "limits.idle")
	t.Setenv("PATH", t.TempDir())
	examine(t, quick(t.TempDir())...).wants(t, "recorded files", Warning, "apt install ffmpeg")
}

func TestDoctorKeysAndLock(t *testing.T) {
	dir := t.TempDir()
	s, err := embedded.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	environ := quick(dir)
	used := examine(t, environ...)
	used.wants(t, "lock", Warning, "another process")
	used.wants(t, "API keys", Warning, "steno keys add")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	keys, err := embedded.OpenKeys(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(keys.AddKey(t.Context(), store.Key{Hash: make([]byte, 32), Account: "acme"}),
		keys.Close()); err != nil {
		t.Fatal(err)
	}
	free := examine(t, environ...)
	free.wants(t, "lock", Fine, "")
	free.wants(t, "API keys", Fine, "store")
}

func TestDoctorPublicURL(t *testing.T) {
	healthy := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/base/healthz" || !healthy {
			http.Error(w, "away", http.StatusBadGateway)
		}
	}))
	defer server.Close()
	defer http.DefaultClient.CloseIdleConnections()
	environ := append(quick(t.TempDir()), "STENO_PUBLIC_URL="+server.URL+"/base")
	collect(t, true, environ).wants(t, "public URL", Fine, "answers")
	healthy = false
	collect(t, true, environ).wants(t, "public URL", Failure, "502")
	examine(t, environ...).wants(t, "public URL", Fine, "127.0.0.1")
	examine(t, append(quick(t.TempDir()), "STENO_PUBLIC_URL=https://steno.invalid")...).wants(t, "public URL",
		Failure, "steno.invalid")
	examine(t, append(quick(t.TempDir()), "STENO_PUBLIC_URL=steno.example.org")...).wants(t, "public URL", Failure,
		"scheme")
}

func TestDoctorBlob(t *testing.T) {
	dir := t.TempDir()
	check := func(address string) examined {
		return examine(t, append(quick(t.TempDir()), "STENO_VALKEY_ADDRESS=127.0.0.1:1", "STENO_BLOB="+address)...)
	}
	found := check("file://" + dir)
	found.wants(t, "blob", Fine, "deleted")
	found.wants(t, "API keys", Failure, "valkey.address")
	check("file://"+filepath.Join(dir, "new", "folder")).wants(t, "blob", Failure, "is not there")
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
	check("ftp://host").wants(t, "configuration", Failure, "ftp")
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	check("file://"+file).wants(t, "blob", Failure, "")
	examine(t, append(quick(t.TempDir()), "STENO_BLOB=file://"+dir)...).wants(t, "configuration", Failure, "together")
}

func TestDoctorTLSFiles(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	authority := filepath.Join(dir, "ca.pem")
	config := filepath.Join(dir, "steno.yml")
	text := "engines: {more: {gpu: {riva: {addresses: ['127.0.0.1:1'], tls: {enabled: true, ca: '" + authority +
		"'}}}}}\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	environ := append(quick(t.TempDir()), "STENO_CONFIG="+config)
	examine(t, environ...).wants(t, "TLS of engine gpu", Failure, "riva.tls")
	for _, c := range []struct {
		valid time.Duration
		want  Level
	}{{2 * expiresSoon, Fine}, {expiresSoon / 2, Warning}, {-time.Hour, Failure}} {
		writeCertificate(t, authority, now.Add(c.valid))
		examine(t, environ...).wants(t, "TLS of engine gpu", c.want, now.Add(c.valid).UTC().Format(time.DateOnly))
	}
}

// writeCertificate writes a certificate that has signed itself and ends at a time.
func writeCertificate(t *testing.T, path string, end time.Time) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: end.Add(-365 * 24 * time.Hour), NotAfter: end,
		IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
}
