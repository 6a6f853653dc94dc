package endtoend_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A gateway ends, with the reason, if a sandbox is requested by name and does not work.
func TestSandboxThatIsAskedForEndsTheStart(t *testing.T) {
	dir := t.TempDir() // of what decoding needs, without bwrap
	for _, name := range []string{"ffmpeg", "ffprobe", "prlimit"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	g := gatewayToBe(t, build(t), "scripted", "STENO_RECORDINGS_SANDBOX=bubblewrap", "PATH="+dir)
	p, err := g.launch()
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.gone:
	case <-time.After(readyWithin):
		t.Fatal("it goes on")
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(p.log.String(),
		"STENO_RECORDINGS_SANDBOX=off") {
		t.Errorf("it ended with %d: %s", code, p.log)
	}
}
