package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steno/cmd/cmdtest"
	"steno/cmd/steno/config"
	"steno/cmd/steno/recognizers"
	"steno/cmd/steno/recognizers/recognizerstest"
	"steno/cmd/steno/terminal"
)

// A machine on which recognition takes longer than speech is reported.
func TestDoctorSpeed(t *testing.T) {
	for took, want := range map[time.Duration]Level{time.Second: Fine, 5 * time.Second: Warning,
		7 * time.Second: Failure} {
		if got := judgeSpeed("speed", "fix", took); got.Level != want {
			t.Errorf("%v: %+v", took, got)
		}
	}
}

func TestDoctorEngines(t *testing.T) {
	missing := examine(t, append(quick(t.TempDir()), "STENO_ENGINES_BINARY=/nowhere/steno-engine",
		"STENO_ENGINES_SANDBOX=off")...)
	missing.wants(t, "engine program", Failure, "engines.binary")
	missing.wants(t, "engine sandbox", Warning, "may do what steno may")
	if testing.Short() {
		t.Skip("builds steno-engine")
	}
	binary := cmdtest.Build(t, "steno-engine")
	program := "STENO_ENGINES_BINARY=" + binary
	good := examine(t, append(quick(t.TempDir()), program)...)
	good.wants(t, "engine program", Fine, binary)
	good.wants(t, "engine sandbox", Fine, "Landlock")
	good.wants(t, "engines of stt-1", Fine, "ready")
	good.wants(t, "speed of stt-1", Fine, "real-time factor")
	bad := examine(t, program, "STENO_DATA="+t.TempDir(), "STENO_ENGINE=sphinx",
		"STENO_ENGINES_SPHINX_MODEL=/nowhere")
	bad.wants(t, "engines of stt-1", Failure, "models.stt-1")
	bad.wants(t, "engines of stt-3", Warning, "models.stt-3")
	examine(t, program, "STENO_DATA="+t.TempDir(), "STENO_ENGINE=sherpa").wants(t, "models", Warning,
		"steno models pull")
}

// TestDoctorModelsFolder checks a folder of models that cannot be read.
func TestDoctorModelsFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "model.tar.bz2")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	var d Deployment
	d.Engines.Models = file
	if got := d.checkModels(); got.Level != Failure || !strings.Contains(got.Detail, file) ||
		!strings.Contains(got.Detail, "not a directory") {
		t.Errorf("%+v", got)
	}
}

// What serves without a model, and the command that changes it, are in the findings.
func TestDoctorWithoutAModel(t *testing.T) {
	cfg, err := config.Load("", []string{"STENO_DATA=" + t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	c := recognizers.Setup{Config: cfg}
	found := Deployment{Setup: c}.checkModels()
	if found.Level != Warning || !strings.Contains(found.Detail, "PocketSphinx serves") ||
		found.Fix != "steno models pull moonshine-tiny-en --models "+terminal.ShellWord(c.ModelsFolder()) {
		t.Errorf("%+v", found)
	}
	recognizerstest.InstallMoonshine(t, c.ModelsFolder())
	if found := (Deployment{Setup: c}).checkModels(); found.Level != Fine ||
		found.Detail != "tiny (licence: MIT)" {
		t.Errorf("%+v", found)
	}
}
