package models

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// release is a TLS server with a download and, next to it, a file of checksums.
func release(t *testing.T, content []byte, sums string) (*httptest.Server, *origin) {
	o := &origin{content: content, before: func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/"+checksums) {
			return false
		}
		if sums == "" {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = w.Write([]byte(sums))
		return true
	}}
	server := httptest.NewTLSServer(o)
	t.Cleanup(server.Close)
	return server, o
}

func TestChecksumFile(t *testing.T) {
	files := someFiles()
	content := packed(t, files)
	other := sum([]byte("x"))
	for name, c := range map[string]struct {
		sums       string
		unverified bool
		from       string
		fault      error
	}{
		"theirs":              {"a.tar.gz\t" + other + "\nm.tar.gz\t" + sum(content) + "\n", false, checksums, nil},
		"as sha256sum writes": {sum(content) + "  m.tar.gz\n", false, checksums, nil},
		"another sum":         {"m.tar.gz\t" + other + "\n", false, "", ErrChecksum},
		"another sum, though": {"m.tar.gz\t" + other + "\n", true, "", ErrChecksum},
		"not listed":          {"a.tar.gz\t" + sum(content) + "\n", false, "", ErrUnverifiable},
		"not listed, though":  {"a.tar.gz\t" + sum(content) + "\n", true, "", nil},
		"a name's end":        {"xm.tar.gz\t" + sum(content) + "\n", false, "", ErrUnverifiable},
		"no file":             {"", false, "", ErrUnverifiable},
		"no file, though":     {"", true, "", nil},
		"no sum":              {"m.tar.gz\tabc\n", false, "", ErrUnverifiable},
	} {
		t.Run(name, func(t *testing.T) {
			server, o := release(t, content, c.sums)
			options := quick()
			options.Client, options.Unverified = server.Client(), c.unverified
			e, dir := model(content, server.URL), t.TempDir()
			e.SHA256 = ""
			m, err := Install(within(t), e, dir, options)
			if !errors.Is(err, c.fault) || m.Verified != c.from {
				t.Fatalf("%v, verified by %q", err, m.Verified)
			}
			if c.fault == nil {
				checkInstalled(t, dir, files)
			}
			if errors.Is(c.fault, ErrUnverifiable) && len(o.asked()) != 1 {
				t.Errorf("asked %d times: the download, too", len(o.asked()))
			}
			checkTidy(t, dir)
		})
	}
}

// An attacker who can change the download can change the checksums next to it: over plain HTTP they
// are worth nothing.
func TestChecksumFileNeedsTLS(t *testing.T) {
	content := packed(t, someFiles())
	o := &origin{content: []byte("m.tar.gz\t" + sum(content))}
	e := model(content, serve(t, o))
	e.SHA256 = ""
	if _, err := Install(within(t), e, t.TempDir(), quick()); !errors.Is(err, ErrUnverifiable) || len(o.asked()) > 0 {
		t.Errorf("%v, asked %d times", err, len(o.asked()))
	}
}

// A look-up that fails is no proof that there is nothing to look up.
func TestChecksumFileFails(t *testing.T) {
	content := packed(t, someFiles())
	for _, status := range []int{500, 403} {
		server, _ := release(t, content, "")
		server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		options := quick()
		options.Client, options.Unverified = server.Client(), true
		e := model(content, server.URL)
		e.SHA256 = ""
		_, err := Install(within(t), e, t.TempDir(), options)
		if err == nil || errors.Is(err, ErrUnverifiable) || !strings.Contains(err.Error(), fmt.Sprint(status)) {
			t.Errorf("%d: %v", status, err)
		}
	}
}

func TestLongChecksumFileIsRefused(t *testing.T) {
	line := strings.Repeat("x", 100) + "\n"
	if _, err := findChecksum(strings.NewReader(strings.Repeat(line, maxChecksums/100+1)), "m"); err == nil {
		t.Error("no error")
	}
}

func TestCertificatesAreVerified(t *testing.T) {
	content := packed(t, someFiles())
	server, o := release(t, content, "")
	server.Config.ErrorLog = quiet()
	asked := 0
	options := Options{pause: func(context.Context, int) error { asked++; return nil }}
	_, err := Install(within(t), model(content, server.URL), t.TempDir(), options)
	if err == nil || !strings.Contains(err.Error(), "certificate") || asked > 0 || len(o.asked()) > 0 {
		t.Errorf("%v, tried %d times again", err, asked)
	}
}

func TestRedirects(t *testing.T) {
	files := someFiles()
	content := packed(t, files)
	plain := serve(t, &origin{content: content})
	safe, _ := release(t, content, "")
	to := func(base string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, base+"/elsewhere", http.StatusFound) }
	}
	round := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r,
			r.URL.Path, http.StatusFound)
	}))
	t.Cleanup(round.Close)
	for name, c := range map[string]struct {
		from  http.Handler
		tls   bool
		fault string
	}{
		"https to https": {to(safe.URL), true, ""},
		"https to http":  {to(plain), true, "refused"},
		"http to http":   {to(plain), false, ""},
		"http to https":  {to(safe.URL), false, ""},
		"to a file":      {to("file:///etc"), false, "refused"},
		"in a circle":    {to(round.URL), false, "redirected 10 times"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewUnstartedServer(c.from)
			server.Start()
			if c.tls {
				server.Close()
				server = httptest.NewTLSServer(c.from)
			}
			t.Cleanup(server.Close)
			options, dir := quick(), t.TempDir()
			options.Client = safe.Client() // knows the certificate of both
			_, err := Install(within(t), model(content, server.URL), dir, options)
			switch {
			case c.fault == "" && err != nil:
				t.Fatal(err)
			case c.fault == "":
				checkInstalled(t, dir, files)
			case err == nil || !strings.Contains(err.Error(), c.fault):
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestMirror(t *testing.T) {
	files := someFiles()
	content := packed(t, files)
	var paths []string
	o := &origin{content: content, before: func(_ http.ResponseWriter, r *http.Request) bool {
		paths = append(paths, r.URL.Path)
		return false
	}}
	options, dir := quick(), t.TempDir()
	options.Address = serve(t, o) + "/mirror/"
	m, err := Install(within(t), model(content, "https://example.com/k2/releases/download"), dir, options)
	if err != nil {
		t.Fatal(err)
	}
	checkInstalled(t, dir, files)
	if got := fmt.Sprint(paths); got != "[/mirror/asr-models/m.tar.gz]" || m.Source != options.Address+
		"asr-models/m.tar.gz" {
		t.Errorf("asked for %s, source %s", got, m.Source)
	}
}

func TestBadAddresses(t *testing.T) {
	for _, address := range []string{"ftp://example.com", "example.com", "http://", "file:///tmp", "https://[::1"} {
		options := quick()
		options.Address = address
		_, err := Install(within(t), model(nil, "https://example.com"), t.TempDir(), options)
		if err == nil || !strings.Contains(err.Error(), "is not an http or https address") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func FuzzFindChecksum(f *testing.F) {
	f.Add("m.tar.gz\t"+anySum+"\n", "m.tar.gz")
	f.Add(anySum+" *m.tar.gz", "m.tar.gz")
	f.Add("\x00\t\n\n", "")
	f.Fuzz(func(t *testing.T, text, name string) {
		got, err := findChecksum(strings.NewReader(text), name)
		if err == nil && got != "" && (!isSHA256(got) || !strings.Contains(text, got)) {
			t.Errorf("got %q", got)
		}
	})
}

func FuzzContentRange(f *testing.F) {
	for _, text := range []string{"bytes 5-9/10", "bytes */10", "bytes 5-9/*", "bytes */*", "items 1-2/3",
		"bytes -5/-1", "bytes"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		start, total, ok := contentRange(http.Header{"Content-Range": {text}})
		if ok && (start < -1 || total < -1) {
			t.Errorf("%q: from %d of %d", text, start, total)
		}
	})
}
