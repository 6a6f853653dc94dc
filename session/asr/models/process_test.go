package models

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// helper is a process that installs the model e. See TestMain.
func helper(t *testing.T, e Entry, dir string, environ ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(within(t), self)
	cmd.Env = append(os.Environ(), helperDir+"="+dir, helperAddress+"="+e.Address, helperSum+"="+e.SHA256)
	cmd.Env = append(cmd.Env, environ...)
	return cmd
}

// killedAt starts a process that installs and kills it, as a crash would, when it has begun a
// stage.
func killedAt(t *testing.T, s Stage, e Entry, dir string) {
	t.Helper()
	cmd := helper(t, e, dir, helperStop+"="+string(s))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "there\n" {
		t.Errorf("%q, %v", line, err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if exists(filepath.Join(dir, "m")) {
		t.Error("the model's folder is there already")
	}
}

func TestKilled(t *testing.T) {
	files := map[string][]byte{"pack/a.onnx": noise(1 << 18), "pack/b.txt": noise(2000)}
	content := packed(t, files)
	for _, s := range []Stage{Fetching, Checking, Unpacking} {
		t.Run(string(s), func(t *testing.T) {
			o := &origin{content: content, tag: `"1"`}
			e, dir := model(content, serve(t, o)), t.TempDir()
			killedAt(t, s, e, dir)
			killedAt(t, s, e, dir)
			if s == Unpacking { // and whatever else it may have left
				if err := os.MkdirAll(filepath.Join(dir, ".m.unpack", "pack", "x"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := Install(within(t), e, dir, quick()); err != nil {
				t.Fatal(err)
			}
			checkInstalled(t, dir, files)
			starts := o.asked()
			if !slices.IsSorted(starts) || s == Fetching && starts[len(starts)-1] == 0 || s != Fetching &&
				len(starts) != 1 {
				t.Errorf("asked from %v", starts)
			}
		})
	}
}

func TestTwoProcesses(t *testing.T) {
	files := map[string][]byte{"pack/a.onnx": noise(1 << 18)}
	content := packed(t, files)
	o := &origin{content: content, tag: `"1"`}
	e, dir := model(content, serve(t, o)), t.TempDir()
	var all []*exec.Cmd
	for range 3 {
		cmd := helper(t, e, dir)
		cmd.Stdout = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	if n := len(o.asked()); n != 1 {
		t.Errorf("asked %d times", n)
	}
	checkInstalled(t, dir, files)
}

// A disk that is full: the process may write files of so many bytes only, which fails as a full
// disk does.
func TestFullDisk(t *testing.T) {
	files := map[string][]byte{"pack/a.onnx": make([]byte, 900_000), "pack/b.onnx": noise(50_000)}
	content := packed(t, files)
	for name, limit := range map[string]int{"while fetching": 20_000, "while unpacking": 500_000} {
		t.Run(name, func(t *testing.T) {
			o := &origin{content: content, tag: `"1"`}
			e, dir := model(content, serve(t, o)), t.TempDir()
			out, err := helper(t, e, dir, fmt.Sprintf("%s=%d", helperLimit, limit)).CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(string(out), "file too large") {
				t.Fatalf("%v: %s", err, out)
			}
			if _, err := Install(within(t), e, dir, quick()); err != nil {
				t.Fatal(err)
			}
			checkInstalled(t, dir, files)
			if starts := o.asked(); limit == 20_000 && (len(starts) != 2 || starts[1] != limit) || limit != 20_000 &&
				len(starts) != 1 {
				t.Errorf("asked from %v", starts)
			}
		})
	}
}
