package models

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Wherever connections break, and however often pulls are cancelled in between, the model arrives,
// and nothing is asked for twice where the server has ranges.
func TestResumesWhereverItBreaks(t *testing.T) {
	files := someFiles()
	content := packed(t, files)
	rapid.Check(t, func(r *rapid.T) {
		o := &origin{content: content, noRanges: rapid.Bool().Draw(r, "no ranges")}
		if rapid.Bool().Draw(r, "tagged") {
			o.tag = `"1"`
		}
		o.cuts = rapid.SliceOfN(rapid.OneOf(
			rapid.IntRange(0, len(content)),
			rapid.SampledFrom([]int{0, 1, 511, 512, 4096, len(content) - 1}),
		), 0, 6).Draw(r, "cuts")
		server := serveFor(r, o)
		dir, err := os.MkdirTemp("", "models")
		if err != nil {
			r.Fatal(err)
		}
		defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
		options := quick()
		patience := rapid.IntRange(0, 3).Draw(r, "patience")
		options.pause = func(_ context.Context, n int) error {
			if n > patience {
				return errors.New("given up here")
			}
			return nil
		}
		for runs := 0; ; runs++ {
			_, err := Install(context.Background(), model(content, server), dir, options)
			if err == nil {
				break
			}
			if runs > 40 {
				r.Fatalf("after %d runs: %v", runs, err)
			}
		}
		checkInstalledRapid(r, dir)
		checkStarts(r, o)
	})
}

// checkStarts looks at what was asked for: always from where it had broken, if that can be.
func checkStarts(r *rapid.T, o *origin) {
	starts := o.asked()
	for i, start := range starts {
		switch {
		case o.noRanges || o.tag == "" || i == 0:
			if start != 0 {
				r.Errorf("answer %d starts at %d", i, start)
			}
		case start < starts[i-1]:
			r.Errorf("answer %d starts at %d, the one before at %d", i, start, starts[i-1])
		}
	}
}

func serveFor(r *rapid.T, o *origin) string {
	server := httptest.NewServer(o)
	r.Cleanup(server.Close)
	return server.URL
}

func checkInstalledRapid(r *rapid.T, dir string) {
	if faults, err := Verify(context.Background(), dir, "m"); err != nil || len(faults) > 0 {
		r.Errorf("verify: %v, %v", faults, err)
	}
	found, err := filepath.Glob(filepath.Join(dir, ".m.[^l]*"))
	if err != nil || len(found) > 0 {
		r.Errorf("left: %v, %v", found, err)
	}
}

// Every byte offset at the edges, and of a small file every one at all.
func TestResumesAtEveryByte(t *testing.T) {
	files := map[string][]byte{"pack/a.txt": []byte("hello")}
	content := packed(t, files)
	for cut := range content {
		o := &origin{content: content, tag: `"1"`, cuts: []int{cut}}
		dir := t.TempDir()
		server := httptest.NewServer(o)
		if _, err := Install(within(t), model(content, server.URL), dir, quick()); err != nil {
			t.Fatalf("cut after %d: %v", cut, err)
		}
		server.Close()
		if got := o.asked(); !slices.Equal(got, []int{0, cut}) {
			t.Errorf("cut after %d: asked from %v", cut, got)
		}
	}
}

// Servers that change their mind between attempts.
func TestTheFileChangesMeanwhile(t *testing.T) {
	files := someFiles()
	content := packed(t, files)
	for name, change := range map[string]func(o *origin){
		"another tag":       func(o *origin) { o.tag = `"2"` },
		"no tag any more":   func(o *origin) { o.tag = "" },
		"no ranges anymore": func(o *origin) { o.tag, o.noRanges = `"2"`, true },
		"rest of another file under the old condition": func(o *origin) {
			once := false
			o.before = func(w http.ResponseWriter, r *http.Request) bool {
				if once || r.Header.Get("Range") == "" {
					return false
				}
				once = true
				w.Header().Set("ETag", `"2"`)
				w.Header().Set("Content-Range", fmt.Sprintf("bytes 7000-%d/%d", len(content)-1, len(content)))
				w.WriteHeader(http.StatusPartialContent)
				_, _ = w.Write(content[7000:])
				return true
			}
		},
		"another length": func(o *origin) {
			o.before = onceRange(fmt.Sprintf("bytes 7000-%d/%d", len(content)-1, len(content)+5),
				http.StatusPartialContent, content[7000:])
		},
		"another start": func(o *origin) {
			o.before = onceRange(fmt.Sprintf("bytes 6999-%d/%d", len(content)-1, len(content)),
				http.StatusPartialContent, content[6999:])
		},
		"no range named": func(o *origin) { o.before = onceRange("", http.StatusPartialContent, content) },
		"shorter than that": func(o *origin) {
			o.before = onceRange("bytes */5000",
				http.StatusRequestedRangeNotSatisfiable, nil)
		},
	} {
		// less and more than all of the other file
		for cut, length := range map[int]int{7000: len(content), 60_000: 100_000} {
			old := noise(length)
			o := &origin{content: old, tag: `"1"`, cuts: []int{cut}}
			options := quick()
			options.pause = func(context.Context, int) error {
				o.mu.Lock()
				defer o.mu.Unlock()
				if &o.content[0] == &old[0] {
					o.content = content
					change(o)
				}
				return nil
			}
			dir := t.TempDir()
			if _, err := Install(within(t), model(content, serve(t, o)), dir, options); err != nil {
				t.Fatalf("%s, after %d bytes: %v", name, cut, err)
			}
			checkInstalled(t, dir, files)
		}
	}
}

// Any number of breaks is borne as long as each attempt brings it further.
func TestManyBreaks(t *testing.T) {
	files := someFiles()
	content := packed(t, files)
	o := &origin{content: content, tag: `"1"`, cuts: slices.Repeat([]int{1000}, 4*maxStuck)}
	dir := t.TempDir()
	if _, err := Install(within(t), model(content, serve(t, o)), dir, quick()); err != nil {
		t.Fatal(err)
	}
	checkInstalled(t, dir, files)
}

// onceRange answers the first request for a range with a Content-Range and a body.
func onceRange(value string, status int, body []byte) func(http.ResponseWriter, *http.Request) bool {
	once := false
	return func(w http.ResponseWriter, r *http.Request) bool {
		if once || r.Header.Get("Range") == "" {
			return false
		}
		once = true
		if value != "" {
			w.Header().Set("Content-Range", value)
		}
		w.WriteHeader(status)
		_, _ = w.Write(body)
		return true
	}
}

// A download that was complete when its process died is not requested again, even if its length was
// unknown.
func TestWholeAlready(t *testing.T) {
	files := someFiles()
	content := packed(t, files)
	for name, c := range map[string]struct {
		total int64
		asked int
	}{"length known": {int64(len(content)), 0}, "length not known": {-1, 1}} {
		t.Run(name, func(t *testing.T) {
			o := &origin{content: content, tag: `"1"`}
			e, dir := model(content, serve(t, o)), t.TempDir()
			p, err := openPart(filepath.Join(dir, ".m"), e.Address)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(p.restart(`"1"`, c.total), p.write(content)); err != nil {
				t.Fatal(err)
			}
			p.close()
			if _, err := Install(within(t), e, dir, quick()); err != nil {
				t.Fatal(err)
			}
			checkInstalled(t, dir, files)
			if got := len(o.asked()); got != c.asked {
				t.Errorf("asked %d times", got)
			}
		})
	}
}

// What is left of a download from elsewhere, or without its note, is not built upon.
func TestStrangeParts(t *testing.T) {
	files := someFiles()
	content := packed(t, files)
	for name, note := range map[string]string{
		"no note": "", "broken note": "{",
		"another address": `{"address":"https://example.com/x","validator":"\"1\"","total":-1}`,
	} {
		t.Run(name, func(t *testing.T) {
			o := &origin{content: content, tag: `"1"`}
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, ".m.part"), noise(500), 0o600); err != nil {
				t.Fatal(err)
			}
			if note != "" {
				if err := os.WriteFile(filepath.Join(dir, ".m.part.json"), []byte(note), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := Install(within(t), model(content, serve(t, o)), dir, quick()); err != nil {
				t.Fatal(err)
			}
			checkInstalled(t, dir, files)
			if got := o.asked(); !slices.Equal(got, []int{0}) {
				t.Errorf("asked from %v", got)
			}
		})
	}
}

func TestTooMuch(t *testing.T) {
	content := packed(t, someFiles())
	for name, answer := range map[string]func(w http.ResponseWriter){
		"announced": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "999999999999")
			w.WriteHeader(http.StatusOK)
		},
		"not announced": func(w http.ResponseWriter) {
			for w.Header().Del("Content-Length"); ; {
				if _, err := w.Write(make([]byte, 64<<10)); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := &origin{before: func(w http.ResponseWriter, _ *http.Request) bool {
				answer(w)
				return true
			}}
			dir := t.TempDir()
			_, err := Install(within(t), model(content, serve(t, o)), dir, quick())
			if !errors.Is(err, errTooLarge) || len(o.asked()) > 1 {
				t.Errorf("got %v, asked %d times", err, len(o.asked()))
			}
			checkTidy(t, dir)
		})
	}
}

func TestStatuses(t *testing.T) {
	files := someFiles()
	content := packed(t, files)
	for status, again := range map[int]bool{404: false, 403: false, 206: true, 204: false, 408: true, 429: true,
		500: true, 503: true} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			asked := 0
			o := &origin{content: content, before: func(w http.ResponseWriter, _ *http.Request) bool {
				if asked++; asked > 2 {
					return false
				}
				w.WriteHeader(status)
				return true
			}}
			dir := t.TempDir()
			_, err := Install(within(t), model(content, serve(t, o)), dir, quick())
			if again && err != nil {
				t.Fatal(err)
			}
			if !again && (err == nil || asked != 1 || !strings.Contains(err.Error(), fmt.Sprint(status))) {
				t.Errorf("asked %d times: %v", asked, err)
			}
		})
	}
}
