package local_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestEnvironment reads what the real program was given: nothing that may be a secret.
func TestEnvironment(t *testing.T) {
	secrets := []string{"OPENAI_API_KEY", "STENO_API_KEYS", "STENO_CALLBACKS_SECRET", "AWS_SECRET_ACCESS_KEY",
		"DATABASE_URL", "LCD", "XOMP_X"}
	needed := []string{"GLIBC_TUNABLES", "PATH", "HOME", "LC_TIME", "LD_LIBRARY_PATH", "OMP_NUM_THREADS", "TMPDIR"}
	t.Setenv("TMPDIR", os.TempDir())
	for _, name := range append(secrets, "LC_TIME", "LD_LIBRARY_PATH", "OMP_NUM_THREADS") {
		t.Setenv(name, "1")
	}
	config := scriptedConfig(t)
	config.Env = []string{"ENGINE_SETTING=1"}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", start(t, config).PID()))
	if err != nil {
		t.Skip(err)
	}
	var names []string
	for variable := range strings.SplitSeq(string(text), "\x00") {
		name, _, _ := strings.Cut(variable, "=")
		names = append(names, name)
	}
	for _, name := range secrets {
		if slices.Contains(names, name) {
			t.Errorf("the engine sees %s", name)
		}
	}
	for _, name := range append(needed, "ENGINE_SETTING") {
		if !slices.Contains(names, name) {
			t.Errorf("the engine does not have %s: %v", name, names)
		}
	}
}
