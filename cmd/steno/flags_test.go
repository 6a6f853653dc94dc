package main

import (
	"bytes"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"steno/cmd/steno/config"
)

// TestConfigurationPage checks that CONFIGURATION.md agrees with the program.
func TestConfigurationPage(t *testing.T) {
	page, err := os.ReadFile("CONFIGURATION.md")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"config", "--reference"}, process{stdout: &out, stderr: io.Discard}); err !=
		nil {
		t.Fatal(err)
	}
	if !bytes.Equal(page, out.Bytes()) {
		t.Error("CONFIGURATION.md is old: go run ./cmd/steno config --reference > cmd/steno/CONFIGURATION.md")
	}
}

// TestFlagsStandForKeys wants the flags of the reference to be those of the command line, and to
// change their keys.
func TestFlagsStandForKeys(t *testing.T) {
	flags := flagsByKey()
	if len(flags) < 9 {
		t.Errorf("flags %v", flags)
	}
	for key, flag := range flags {
		args, want := []string{"serve", flag, "file:///console"}, "file:///console"
		if key == "allow_private" || key == "tls.self_signed" {
			args, want = args[:2], "true"
		}
		if key == "log.format" {
			args[2], want = "console", "console"
		}
		var line commands
		parser, err := kong.New(&line, kong.Writers(io.Discard, io.Discard))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.Parse(args); err != nil {
			t.Fatal(err)
		}
		cfg, _ := line.Serve.configuration(nil) // the error is about the other keys
		if got := cfg.Field(key); strings.TrimSpace(stringOf(got)) != want {
			t.Errorf("%s leaves %s at %s", flag, key, stringOf(got))
		}
	}
}

// TestFlagsTellDefaults wants the help of each flag of serve to name the default of its key, where
// it has one.
func TestFlagsTellDefaults(t *testing.T) {
	cfg, err := config.Load("", nil)
	if err != nil {
		t.Fatal(err)
	}
	flags := reflect.TypeFor[serveCmd]()
	for i := range flags.NumField() {
		f := flags.Field(i)
		key := f.Tag.Get("key")
		if key == "" {
			continue
		}
		if v := stringOf(cfg.Field(key)); v != "" && v != "false" &&
			!strings.Contains(f.Tag.Get("help"), "Default: "+v) {
			t.Errorf("the help of %s does not say that its default is %s", f.Name, v)
		}
	}
}

func stringOf(v reflect.Value) string {
	if v.Kind() == reflect.Bool {
		return map[bool]string{true: "true", false: "false"}[v.Bool()]
	}
	return v.String()
}
