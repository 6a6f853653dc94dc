package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"steno/session/asr/models"
)

// runModels runs one command line of steno models on a folder.
func runModels(t *testing.T, dir string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	p := process{stdout: &out, stderr: &errs, interrupts: make(chan os.Signal)}
	args = append([]string{"models", args[0], "--models", dir}, args[1:]...)
	err = run(t.Context(), args, p)
	return out.String(), errs.String(), err
}

// mirror serves the same bytes whatever is asked for, except checksums, and counts the requests.
func mirror(t *testing.T, content []byte) (address string, paths *[]string) {
	t.Helper()
	paths = new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*paths = append(*paths, r.URL.Path)
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		_, _ = w.Write(content)
	}))
	t.Cleanup(server.Close)
	return server.URL, paths
}

// unpinned is a model that the catalogue has no checksum of: nothing else can come from a test's
// server.
func unpinned(t *testing.T) models.Entry {
	t.Helper()
	for _, e := range models.Catalogue() {
		if e.SHA256 == "" && len(e.Pinned) == 0 && strings.HasSuffix(e.Address, ".tar.bz2") {
			return e
		}
	}
	t.Skip("all models have a checksum")
	return models.Entry{}
}

func TestModelsFromPullToRemove(t *testing.T) {
	e, dir := unpinned(t), filepath.Join(t.TempDir(), "models")
	address, paths := mirror(t, bzippedTar(t))

	_, _, err := runModels(t, dir, "pull", e.Name, "--address", address)
	if err == nil || !strings.Contains(err.Error(), "--unverified") || len(*paths) > 0 {
		t.Fatalf("without a checksum: %v, asked for %v", err, *paths)
	}
	out, stderr, err := runModels(t, dir, "pull", e.Name, "--address", address, "--unverified")
	if err != nil || !strings.Contains(out, e.Name+" is installed in "+filepath.Join(dir, e.Name)+" (not verified") ||
		stderr != "" {
		t.Fatalf("pull: %q, %q, %v", out, stderr, err)
	}
	if len(*paths) != 1 || !strings.HasSuffix(e.Address, (*paths)[0]) {
		t.Errorf("asked for %v", *paths)
	}
	if out, _, err = runModels(t, dir, "pull", e.Name, "--address", address); err != nil || out != e.Name+
		" is installed already\n" {
		t.Errorf("again: %q, %v", out, err)
	}
	if out, _, err = runModels(t, dir, "verify"); err != nil || out != e.Name+": as installed\n" {
		t.Errorf("verify: %q, %v", out, err)
	}
	if err := os.WriteFile(filepath.Join(dir, e.Name, "a.txt"), []byte("jello"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, _, err = runModels(t, dir, "verify", e.Name); err == nil || out != e.Name+": a.txt: damaged\n" {
		t.Errorf("verify what was changed: %q, %v", out, err)
	}
	if out, _, err = runModels(t, dir, "remove", e.Name); err != nil || out != e.Name+" is removed\n" {
		t.Errorf("remove: %q, %v", out, err)
	}
	if _, _, err = runModels(t, dir, "remove", e.Name, "gtcrn"); err == nil || strings.Count(err.Error(),
		"not installed") != 2 {
		t.Errorf("remove again: %v", err)
	}
}

// What the catalogue has a checksum of cannot be replaced, whatever is allowed.
func TestModelsPullRefusesOtherBytes(t *testing.T) {
	dir := t.TempDir()
	address, _ := mirror(t, []byte("something else"))
	_, _, err := runModels(t, dir, "pull", "gtcrn", "titanet-small", "--address", address, "--unverified")
	if err == nil || strings.Count(err.Error(), models.ErrChecksum.Error()) != 2 {
		t.Errorf("got %v", err)
	}
	if found, err := filepath.Glob(filepath.Join(dir, "[^.]*")); err != nil || len(found) > 0 {
		t.Errorf("installed: %v, %v", found, err)
	}
}

func TestModelsPullForALanguage(t *testing.T) {
	address, paths := mirror(t, []byte("something else"))
	_, _, err := runModels(t, t.TempDir(), "pull", "--language", "de-AT", "--address", address)
	chosen, _ := models.Recommend("de")
	for _, e := range chosen {
		if err == nil || !strings.Contains(err.Error(), "model "+e.Name+":") {
			t.Errorf("%s was not pulled: %v", e.Name, err)
		}
	}
	if len(*paths) != len(chosen) {
		t.Errorf("asked for %v", *paths)
	}
}

func TestModelsBadCommandLines(t *testing.T) {
	for says, args := range map[string][]string{
		`no model "x"`:              {"pull", "x"},
		"name a model":              {"pull"},
		`no model for language "xx`: {"pull", "--language", "xx"},
		`unknown language "xx"`:     {"list", "--language", "xx"},
		"cannot be a model's name":  {"remove", "../x"},
		"no model.json":             {"verify", "x"},
		"not an http or https":      {"pull", "gtcrn", "--address", "ftp://x"},
	} {
		if _, _, err := runModels(t, t.TempDir(), args...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: got %v, want it to say %s", args, err, says)
		}
	}
}

func TestModelsPullIsInterrupted(t *testing.T) {
	arrived := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	interrupts := make(chan os.Signal)
	var out bytes.Buffer
	ended := make(chan error)
	go func() {
		args := []string{"models", "pull", "gtcrn", "titanet-small", "--models", t.TempDir(), "--address", server.URL}
		ended <- run(context.Background(), args, process{stdout: &out, stderr: &out, interrupts: interrupts})
	}()
	<-arrived
	interrupts <- os.Interrupt
	if err := <-ended; err == nil || !strings.Contains(err.Error(), context.Canceled.Error()) {
		t.Errorf("got %v", err)
	}
}

func TestModelsList(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"own", "kroko-de"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	out, _, err := runModels(t, dir, "list")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 1+2*(len(models.Catalogue())+1)+1 || !strings.HasPrefix(lines[0], "NAME ") {
		t.Fatalf("%d lines:\n%s", len(lines), out)
	}
	lines[0] = "  " + lines[0]
	column := strings.Index(lines[0], "LANGUAGES")
	for n, line := range lines {
		if len(line) > 100 {
			t.Errorf("%d characters: %s", len(line), line)
		}
		if n%2 == 1 && n < len(lines)-1 && (line[column-1] != ' ' || line[column] == ' ') {
			t.Errorf("not aligned: %s", line)
		}
	}
	for _, want := range []string{"no model.json; licence: unknown", "errors: not published", "487.2 MB",
		"en, zh, de and 96 more", "any", "licence: MIT\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// What is recommended is marked: for any language, or for the one that is asked for.
func TestModelsListMarksWhatIsRecommended(t *testing.T) {
	for language, want := range map[string][]string{"sw": {"whisper-turbo"}, "de": {"parakeet-tdt-0.6b-v3",
		"kroko-de"}} {
		out, _, err := runModels(t, t.TempDir(), "list", "--language", language)
		if err != nil || strings.Count(out, "\n* ") != len(want)+1 { // and the note at the end
			t.Fatalf("%s: %v\n%s", language, err, out)
		}
		for _, name := range want {
			if !strings.Contains(out, "\n* "+name+" ") {
				t.Errorf("%s: %s is not marked:\n%s", language, name, out)
			}
		}
		if strings.Contains(out, "parakeet-tdt-0.6b-v2") {
			t.Errorf("%s: English is listed:\n%s", language, out)
		}
	}
	out, _, err := runModels(t, t.TempDir(), "list")
	if err != nil || !strings.Contains(out, "\n* parakeet-tdt-0.6b-v2 ") ||
		!strings.Contains(out, "\n  whisper-tiny ") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestModelsNone(t *testing.T) {
	var out bytes.Buffer
	if err := printModels(&out, nil, nil); err != nil || out.String() != "none\n" {
		t.Errorf("list: %q, %v", out.String(), err)
	}
	if out, _, err := runModels(t, t.TempDir(), "verify"); err != nil || out != "no model is installed\n" {
		t.Errorf("verify: %q, %v", out, err)
	}
	if out, err := steno(t, "models"); err != nil || !strings.Contains(out, "Usage: steno models <command>") {
		t.Errorf("models: %q, %v", out, err)
	}
}

func TestModelsListAsJSON(t *testing.T) {
	out, _, err := runModels(t, filepath.Join(t.TempDir(), "none"), "list", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var list []listedModel
	if err := json.Unmarshal([]byte(out), &list); err != nil || len(list) != len(models.Catalogue()) {
		t.Fatalf("%d models, %v", len(list), err)
	}
	for n, e := range models.Catalogue() {
		if got := list[n]; got.Name != e.Name || got.SHA256 != e.SHA256 || got.Size != e.Size || got.Languages ==
			nil || got.Installed {
			t.Errorf("%+v", got)
		}
	}
}

// By default models lie below the data folder.
func TestModelsFolder(t *testing.T) {
	p := &process{environ: []string{"STENO_DATA=/srv/steno"}}
	if dir, err := (modelsFolder{}).dir(p); err != nil || dir != "/srv/steno/models" {
		t.Errorf("%s, %v", dir, err)
	}
	if dir, err := (modelsFolder{Models: "here"}).dir(p); err != nil || dir != "here" {
		t.Errorf("%s, %v", dir, err)
	}
}

// bzippedTar is what tar cj makes of pack/a.txt, "hello".
func bzippedTar(t *testing.T) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString("QlpoOTFBWSZTWf5BpQIAAHL7gMmAAAJAAc+AAQBqTN5ACAggAFQ0hGg000HqG0maCSSaADIaGgH3dw5CCb0IRHqFhG+2tAhgYlOD" + "xPYRJxBp6s4jib2g6dxRUp+EfZVsu0iIgLi7kinChIfyDSgQ")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A dry run asks for the model and installs nothing.
func TestModelsPullDryRun(t *testing.T) {
	dir := t.TempDir()
	address, paths := mirror(t, []byte("x"))
	out, _, err := runModels(t, dir, "pull", "gtcrn", "--dry-run", "--address", address)
	if err != nil || out != "gtcrn can be had (0.5 MB; licence: MIT)\n" || len(*paths) != 1 {
		t.Errorf("%q, %v, asked for %v", out, err, *paths)
	}
	if found, err := os.ReadDir(dir); err != nil || len(found) > 0 {
		t.Errorf("%v, %v", found, err)
	}
	nothing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(nothing.Close)
	if out, _, err := runModels(t, dir, "pull", "gtcrn", "--dry-run", "--address", nothing.URL); err == nil ||
		out != "" ||
		!strings.Contains(err.Error(), "answers 404 Not Found") {
		t.Errorf("where there is nothing: %q, %v", out, err)
	}
}
