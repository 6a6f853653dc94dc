package decoding

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"steno/audio/media"
	"steno/cmd/steno/config"
)

// A sandbox is required unless the configuration permits none, and the log states which one is
// used.
func TestSandboxIsRequired(t *testing.T) {
	if _, err := media.New(media.Config{Sandbox: media.NoSandbox}); err != nil {
		t.Skip(err)
	}
	open := func(s media.Sandbox) (d *media.Decoder, lines string, err error) {
		var log bytes.Buffer
		r := config.Recordings{Longest: time.Hour, Sandbox: s}
		d, why := Try(t.Context(), r, zerolog.New(&log))
		if d == nil || why != "" {
			t.Fatalf("%s: no decoder, %q %s", s, why, log.String())
		}
		err = Report(r, d, zerolog.New(&log))
		return d, log.String(), err
	}
	if _, lines, err := open(media.NoSandbox); err != nil || !strings.Contains(lines, "without a sandbox") {
		t.Errorf("off: %v %s", err, lines)
	}
	for _, s := range []media.Sandbox{media.AnySandbox, media.Bubblewrap, media.Landlock} {
		d, lines, err := open(s)
		switch {
		case errors.Is(err, media.ErrNoSandbox):
			t.Logf("%s: %v", s, err)
		case err != nil || d.Wait(t.Context()) == nil && !strings.Contains(lines, `"sandbox":"`+string(d.Sandbox())):
			t.Errorf("%s: %v %s", s, err, lines)
		}
	}
	t.Setenv("PATH", programsWithout(t, "bwrap"))
	if _, _, err := open(media.Bubblewrap); !errors.Is(err, media.ErrNoSandbox) || !strings.Contains(err.Error(),
		"STENO_RECORDINGS_SANDBOX=off") {
		t.Errorf("bubblewrap that is not there: %v", err)
	}
	if d, lines, err := open(media.AnySandbox); err != nil || d.Wait(t.Context()) != nil &&
		!strings.Contains(lines, "recordings.sandbox: off") {
		t.Errorf("auto: %v %s", err, lines)
	}
	t.Setenv("PATH", programsWithout(t, "ffprobe"))
	if d, why := Try(t.Context(), config.Recordings{}, zerolog.Nop()); d != nil || why != "ffmpeg is missing" {
		t.Errorf("without ffprobe: %v, %q", d, why)
	}
}

// programsWithout is a folder of what decoding needs, but for one program.
func programsWithout(t *testing.T, missing string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"ffmpeg", "ffprobe", "prlimit", "bwrap"} {
		path, err := exec.LookPath(name)
		if err != nil || name == missing {
			continue
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
