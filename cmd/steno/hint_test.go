package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"steno/cmd/steno/config"
)

// The command of the hint installs models where this gateway looks for them.
func TestHintNamesTheFolder(t *testing.T) {
	for _, data := range []string{"./data", filepath.Join(t.TempDir(), "it's here")} {
		var out bytes.Buffer
		hint(config.Config{Engine: "sherpa", Data: data}, &process{program: "bin/steno", stdout: &out,
			environ: []string{"LANG=de_DE.UTF-8"}})
		_, command, _ := strings.Cut(strings.TrimSpace(out.String()), "\n")
		words, err := exec.Command("sh", "-c", "set -- "+command+`; printf '%s\n' "$@"`).Output()
		want := "bin/steno\nmodels\npull\n--language\nde\n"
		if data != "./data" {
			want += "--models\n" + filepath.Join(data, "models") + "\n"
		}
		if err != nil || string(words) != want {
			t.Errorf("%q, %v", words, err)
		}
	}
}
