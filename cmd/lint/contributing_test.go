package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

// example is the files of one section of CONTRIBUTING.md, as they are with its changes.
type example map[string]string

var fenced = regexp.MustCompile("(?ms)^```(go|diff) file=(\\S+)\n(.*?)^```$")

// examples reads the sections of CONTRIBUTING.md by title, and applies the changes of each to the
// sources.
func examples(t *testing.T) map[string]example {
	t.Helper()
	all := map[string]example{}
	for _, section := range strings.Split(read(t, "CONTRIBUTING.md"), "\n## ")[1:] {
		title, body, _ := strings.Cut(section, "\n")
		e := example{}
		for _, block := range fenced.FindAllStringSubmatch(body, -1) {
			if err := e.apply(block[1], block[2], block[3]); err != nil {
				t.Fatalf("%s: %v", title, err)
			}
		}
		if len(e) > 0 {
			all[title] = e
		}
	}
	return all
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// apply adds a new file, or changes one: the lines of a diff that begin with a space or a minus are
// replaced by those with a space or a plus. They occur once, and may begin and end within a line.
func (e example) apply(language, file, block string) error {
	before, changed := e[file]
	if !changed {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil && (language == "diff" || !errors.Is(err, fs.ErrNotExist)) {
			return err
		}
		before = string(text)
	}
	if language == "go" {
		e[file] = block
		return nil
	}
	var from, to []string
	for line := range strings.Lines(block) {
		line = strings.TrimSuffix(line, "\n")
		switch line[0] {
		case '-':
			from = append(from, line[1:])
		case '+':
			to = append(to, line[1:])
		default:
			from, to = append(from, line[1:]), append(to, line[1:])
		}
	}
	if n := strings.Count(before, strings.Join(from, "\n")); n != 1 {
		return fmt.Errorf("%s has %d times:\n%s", file, n, strings.Join(from, "\n"))
	}
	e[file] = strings.Replace(before, strings.Join(from, "\n"), strings.Join(to, "\n"), 1)
	return nil
}

// overlay writes the files of an example into a folder, and returns the flag with which the Go tool
// takes them for the sources.
func (e example) overlay(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	replaced := map[string]string{}
	for file, text := range e {
		source, err := filepath.Abs(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		replaced[source] = filepath.Join(dir, file)
		write(t, replaced[source], text)
	}
	list, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "overlay.json"), string(list))
	return "-overlay=" + filepath.Join(dir, "overlay.json")
}

// TestContributingExamples applies the changes that CONTRIBUTING.md shows, compiles what they
// touch, and runs the tests of the example. Each touches no more files outside its own folder than
// listed.
func TestContributingExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles much")
	}
	all := examples(t)
	for _, c := range []struct {
		title   string
		own     string // the folder or the table of what is added
		outside int    // files that are changed beside it
		build   string // what imports it
		test    string // one of which the tests that match run are run
		run     string
	}{
		{"Add an encoding", "audio/encoding.go", 1, "./audio", "./audio", "Encoding"},
		{"Add an engine", "session/asr/level/", 2, "./cmd/steno-engine", "./session/asr/level", ""},
		{"Add an add-on", "session/addon/questions/", 1, "./session/addon/registry", "./session/addon/registry", ""},
		{"Add a dialect", "gateway/dialect/lines/", 1, "./gateway/dialect/registry", "", ""},
	} {
		t.Run(c.title, func(t *testing.T) {
			e, ok := all[c.title]
			if !ok {
				t.Fatal("it has no example")
			}
			outside := 0
			for file := range e {
				if !strings.HasPrefix(file, c.own) {
					outside++
				}
			}
			if outside != c.outside {
				t.Errorf("%d files outside %s are changed, not %d", outside, c.own, c.outside)
			}
			overlay := e.overlay(t)
			command(t, root, "go", "list", "-export", "-pgo=off", overlay, c.build) // compiles, and links nothing
			if c.test != "" {
				program := filepath.Join(t.TempDir(), "test")
				command(t, root, "go", "test", "-pgo=off", "-vet=off", "-ldflags=-s", "-c", "-o", program, overlay,
					c.test)
				command(t, t.TempDir(), program, "-test.run="+c.run)
			}
		})
	}
}

// command runs a program in a folder.
func command(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

var (
	linked = regexp.MustCompile(`\]\(([^)#]+)(?:#[^)]*)?\)`)
	named  = regexp.MustCompile("`((?:audio|cmd|gateway|loadtest|messages|session|vad)(?:/[a-zA-Z_.-]+)+)`")
)

// TestContributingNames holds that the files that CONTRIBUTING.md links and names exist.
func TestContributingNames(t *testing.T) {
	text := fenced.ReplaceAllString(read(t, "CONTRIBUTING.md"), "")
	for _, m := range append(linked.FindAllStringSubmatch(text, -1), named.FindAllStringSubmatch(text, -1)...) {
		if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
			t.Error(err)
		}
	}
}
