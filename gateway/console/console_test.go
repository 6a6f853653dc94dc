package console

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/web"
)

func handlers(t *testing.T, public string) map[string]web.Handler {
	t.Helper()
	sample := filepath.Join(t.TempDir(), "sample.wav")
	if err := os.WriteFile(sample, []byte("RIFF of a recording"), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := Handlers(web.NewAddresses(public, nil, web.NewProxies(nil, zerolog.Nop()), zerolog.Nop()), sample)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func get(t *testing.T, all map[string]web.Handler, path, target string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r, w := httptest.NewRequest(http.MethodGet, target, nil), httptest.NewRecorder()
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	if err := all[path](w, r); err != nil {
		t.Fatal(err)
	}
	return w
}

// What the page refers to is served, at an address relative to it.
func TestPageReferences(t *testing.T) {
	all := handlers(t, "")
	page := get(t, all, Path, "http://localhost/console").Body.String()
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if m[1] == "docs" {
			continue
		}
		if strings.HasPrefix(m[1], "/") || all["/"+m[1]] == nil {
			t.Errorf("%s is not served", m[1])
		}
	}
	if strings.Contains(page, "style=") || strings.Contains(page, "<style") ||
		regexp.MustCompile(`<script[^>]*>[^<]`).MatchString(page) {
		t.Errorf("the policy would not allow what stands in the page: %s", page)
	}
}

func TestHeaders(t *testing.T) {
	all := handlers(t, "https://speech.example/a")
	page := get(t, all, Path, "http://localhost/console").Header()
	policy := page.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "script-src 'self';", "style-src 'self';",
		"connect-src 'self' wss://speech.example;", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, part) {
			t.Errorf("the policy lacks %s: %s", part, policy)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Errorf("policy: %s", policy)
	}
	for path := range all {
		w := get(t, all, path, "http://localhost"+path)
		h := w.Header()
		if w.Code != http.StatusOK || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") !=
			"no-referrer" || w.Body.Len() == 0 {
			t.Errorf("%s: %d %v", path, w.Code, h)
		}
		if w := get(t, all, path, "http://localhost"+path, "If-None-Match", h.Get("ETag")); w.Code !=
			http.StatusNotModified {
			t.Errorf("%s again: %d", path, w.Code)
		}
	}
}

// The address with a slash at its end leads to the one without, also below a path of a proxy.
func TestSlash(t *testing.T) {
	all := handlers(t, "")
	w := get(t, all, Path, "http://localhost/console/")
	if w.Code != http.StatusMovedPermanently || w.Header().Get("Location") != "../console" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

// The modules' own tests pass, which check what they compute without a browser.
func TestModules(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	if _, err := os.Stat("node_modules/preact"); err != nil {
		t.Skip("the packages of package-lock.json are not installed: make deps")
	}
	if out, err := exec.CommandContext(t.Context(), "node", "--test", "--test-reporter=tap",
		"testdata/modules.test.mjs").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The committed bundle is what the sources and the locked libraries make.
func TestBundleIsFresh(t *testing.T) {
	if _, err := os.Stat("node_modules/esbuild"); err != nil {
		t.Skip("the packages of package-lock.json are not installed: make deps")
	}
	folder := t.TempDir()
	build := exec.CommandContext(t.Context(), "node", "build.js", folder)
	build.WaitDelay = 10 * time.Second
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	built, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	committed, err := filepath.Glob("dist/*")
	if err != nil || len(built) != len(committed) {
		t.Fatalf("%d files are built, %d committed; %v", len(built), len(committed), err)
	}
	for _, path := range built {
		name := filepath.Base(path)
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if have, err := os.ReadFile(filepath.Join("dist", name)); err != nil || !bytes.Equal(have, want) {
			t.Errorf("dist/%s is not what the sources make (%v): run make console", name, err)
		}
	}
}

// The licences of what is in the bundle come with it.
func TestLicences(t *testing.T) {
	bundle, err := embedded.ReadFile("dist/console.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"preact", "htm", "uplot"} {
		if !regexp.MustCompile(`/\*! ` + name + ` [0-9.]+\n`).Match(bundle) {
			t.Errorf("the licence of %s is missing", name)
		}
	}
}
