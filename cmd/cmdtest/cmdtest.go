// Package cmdtest has what tests need that run programs: addresses to listen on, and the project's
// programs, each built once for all tests of a package, unless they are built already, in the
// folder STENO_TEST_PROGRAMS. They are built without the race detector, and without debug
// information, which would take longer to link than all else.
package cmdtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// built are the programs of this test process. They are made by the first test that needs one.
var built struct {
	mu       sync.Mutex
	dir      string // empty: none was built
	programs map[string]error
}

// Build returns the path of a program, the name of whose folder in cmd is given. Programs lie in
// the same folder. It may be called from any goroutine. TestMain must run the tests by [M], which
// removes the programs.
func Build(t testing.TB, name string) string {
	t.Helper()
	if dir := os.Getenv("STENO_TEST_PROGRAMS"); dir != "" {
		return filepath.Join(dir, name)
	}
	built.mu.Lock()
	defer built.mu.Unlock()
	if built.dir == "" {
		dir, err := os.MkdirTemp("", "steno-test-")
		if err != nil {
			t.Fatal(err)
		}
		built.dir, built.programs = dir, map[string]error{}
	}
	path := filepath.Join(built.dir, name)
	err, known := built.programs[name]
	if !known {
		err = build(path, "steno/cmd/"+name)
		built.programs[name] = err
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func build(path, name string) error {
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, name).CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", name, err, out)
	}
	return nil
}

// M runs tests as testing.M does, and removes the programs that they had built.
type M struct{ *testing.M }

// Run returns the exit code of the tests.
func (m M) Run() int {
	code := m.M.Run()
	built.mu.Lock()
	defer built.mu.Unlock()
	if built.dir != "" {
		if err := os.RemoveAll(built.dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return max(code, 1)
		}
	}
	return code
}
