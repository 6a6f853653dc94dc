package models

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// origin is a server of one file, with the faults of real ones.
type origin struct {
	mu       sync.Mutex
	content  []byte
	tag      string // entity tag; empty: none
	noRanges bool
	cuts     []int // how many bytes of the body are sent before the connection breaks, an answer each
	starts   []int // of the answers so far: offsets, or -1 for what was no file
	before   func(w http.ResponseWriter, r *http.Request) (done bool)
}

func (o *origin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	content, tag, before := o.content, o.tag, o.before
	o.mu.Unlock()
	if before != nil && before(w, r) {
		o.note(-1)
		return
	}
	if r.Header.Get("Range") != "" && r.Header.Get("If-Range") == "" { // it could be the rest of another file
		w.WriteHeader(http.StatusBadRequest)
		o.note(-1)
		return
	}
	start := 0
	if !o.noRanges && r.Header.Get("If-Range") == tag {
		_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &start)
	}
	if tag != "" {
		w.Header().Set("ETag", tag)
	}
	if start > 0 && start >= len(content) {
		o.note(start)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", len(content)))
		w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		return
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(content)-start))
	if start > 0 {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", start, len(content)-1, len(content)))
		w.WriteHeader(http.StatusPartialContent)
	}
	o.send(w, content[start:], o.note(start))
}

// note returns the answer's cut, or -1.
func (o *origin) note(start int) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.starts = append(o.starts, start)
	if start < 0 || len(o.cuts) == 0 {
		return -1
	}
	cut := o.cuts[0]
	o.cuts = o.cuts[1:]
	return cut
}

func (o *origin) send(w http.ResponseWriter, body []byte, cut int) {
	if cut < 0 || cut >= len(body) {
		_, _ = w.Write(body)
		return
	}
	_, _ = w.Write(body[:cut])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

func (o *origin) asked() []int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.starts)
}

// serve starts a server and returns its address.
func serve(t testing.TB, h http.Handler) string {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// quick are options that do not wait.
func quick() Options {
	return Options{pause: func(ctx context.Context, _ int) error { return ctx.Err() },
		Client: &http.Client{Transport: &http.Transport{}}}
}

// model is an archive of some files, and the entry that names it.
func model(content []byte, address string) Entry {
	return Entry{Name: "m", Languages: []string{"de"}, Kind: OfflineWhisper, Licence: "MIT", Size: int64(len(content)),
		SHA256: sum(content), Address: address + "/asr-models/m.tar.gz"}
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// noise is data that does not get smaller, the same for every run.
func noise(n int) []byte {
	r := rand.NewChaCha8([32]byte{1})
	b := make([]byte, n)
	_, _ = r.Read(b)
	return b
}

// someFiles are what the archives of these tests hold.
func someFiles() map[string][]byte {
	return map[string][]byte{
		"pack/encoder.onnx": noise(40_000), "pack/tokens.txt": []byte("a 1\nb 2\n"),
		"pack/test_wavs/0.wav": noise(3000),
	}
}

// packed is a .tar.gz of files.
func packed(t testing.TB, files map[string][]byte) []byte {
	t.Helper()
	var headers []tar.Header
	for _, name := range slices.Sorted(maps.Keys(files)) {
		headers = append(headers, tar.Header{Name: name, Size: int64(len(files[name])), Mode: 0o600,
			Typeflag: tar.TypeReg})
	}
	return zipped(t, tarred(t, headers, files))
}

func tarred(t testing.TB, headers []tar.Header, files map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(files[h.Name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipped(t testing.TB, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// checkInstalled compares the model's folder with the archive, and looks for leftovers.
func checkInstalled(t testing.TB, dir string, files map[string][]byte) {
	t.Helper()
	faults, err := Verify(context.Background(), dir, "m")
	if err != nil || len(faults) > 0 {
		t.Fatalf("verify: %v, %v", faults, err)
	}
	m, err := ReadManifest(filepath.Join(dir, "m"))
	if err != nil || len(m.Files) != len(files) {
		t.Fatalf("manifest: %+v, %v", m, err)
	}
	for name, want := range files {
		_, below, _ := strings.Cut(name, "/")
		got, err := os.ReadFile(filepath.Join(dir, "m", below))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes of %d, %v", below, len(got), len(want), err)
		}
	}
	checkTidy(t, dir)
}

// checkTidy looks for leftovers in the models' folder. Locks stay.
func checkTidy(t testing.TB, dir string) {
	t.Helper()
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if name := f.Name(); strings.HasPrefix(name, ".") && !strings.HasSuffix(name, ".lock") {
			t.Errorf("%s is left", name)
		}
	}
}

// within ends a test that hangs.
func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}
