package main

import (
	"bytes"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
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
	for _, path := range keys(reflect.TypeFor[Config](), "") {
		if n := bytes.Count(page, []byte("**`"+path+"`**:")); n != 1 {
			t.Errorf("%s stands %d times in CONFIGURATION.md", path, n)
		}
	}
}

// TestTablesAreDescribed wants every field of the configuration's tables in the examples of
// steno.yml.
func TestTablesAreDescribed(t *testing.T) {
	for table, of := range map[string]reflect.Type{"  more:": reflect.TypeFor[NamedEngine](),
		"keys:": reflect.TypeFor[ConfiguredKey]()} {
		before, _, _ := strings.Cut(string(defaults), "\n"+table+" {}")
		example := before[strings.LastIndex(before, "\n\n"):]
		for _, name := range names(of) {
			if !strings.Contains(example, name) {
				t.Errorf("%s is not in the example of %s", name, strings.TrimSpace(table))
			}
		}
	}
}

// names lists the keys of a struct and of the structs in it, but not those of engines that have
// sections of their own.
func names(t reflect.Type) (all []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		all = append(all, f.Tag.Get("yaml"))
		if inner := f.Type; inner.Kind() == reflect.Pointer && (inner.Elem() == reflect.TypeFor[Riva]() ||
			inner.Elem() == reflect.TypeFor[OpenAI]() || inner.Elem() == reflect.TypeFor[Realtime]()) {
			all = append(all, names(inner.Elem())...)
		}
	}
	return all
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
		if got := fieldAt(reflect.ValueOf(cfg), key); strings.TrimSpace(stringOf(got)) != want {
			t.Errorf("%s leaves %s at %s", flag, key, stringOf(got))
		}
	}
}

// TestFlagsTellDefaults wants the help of each flag of serve to name the default of its key, where
// it has one.
func TestFlagsTellDefaults(t *testing.T) {
	cfg, err := loadConfig("", nil)
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
		if v := stringOf(fieldAt(reflect.ValueOf(cfg), key)); v != "" && v != "false" &&
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

// TestBounds tries the values at the bounds and beyond them.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		variable string
		fault    string // in the error; empty: none
	}{
		{"STENO_CALLBACKS_CONCURRENCY=1", ""},
		{"STENO_CALLBACKS_CONCURRENCY=1000", ""},
		{"STENO_CALLBACKS_CONCURRENCY=0", "callbacks.concurrency must be 1 to 1000, not 0"},
		{"STENO_CALLBACKS_CONCURRENCY=1001", "callbacks.concurrency"},
		{"STENO_CALLBACKS_TIMEOUT=31s", "callbacks.timeout must be 1s to 30s, not 31s"},
		{"STENO_CALLBACKS_LONGEST_RETRY=1ms", "callbacks.longest_retry"},
		{"STENO_VALKEY_REWRITE=0s", ""},
		{"STENO_VALKEY_REWRITE=30s", "valkey.rewrite must be 0 or at least 1m, not 30s"},
		{"STENO_VALKEY_DURABILITY=none", `valkey.durability: "none" is none of process, disk, replica`},
		{"STENO_ADDONS_LLM_USE=translation, poetry", `addons.llm.use: "poetry"`},
		{"STENO_RECORDINGS_SANDBOX=jail", "recordings.sandbox"},
		{"STENO_LIMITS_PACE=-1", "limits.pace must be at least 0, not -1"},
		{"STENO_LIMITS_TEXT_MESSAGE_BYTES=99999999999", "limits.text_message_bytes"},
		{"STENO_ENGINES_SPHINX_SLOTS=33", "engines.sphinx.slots must be 0 to 32, not 33"},
	} {
		cfg, err := loadConfig("", []string{c.variable})
		if err == nil {
			err = cfg.check()
		}
		if c.fault == "" && err != nil || c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%s: %v", c.variable, err)
		}
	}
}

// TestBoundsOfTables wants the fields of named engines checked under their names.
func TestBoundsOfTables(t *testing.T) {
	cfg, err := loadConfig("", nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Engines.More = map[string]NamedEngine{"slow": {Sphinx: &Sphinx{Slots: 40}, Weight: -1}}
	err = cfg.check()
	for _, want := range []string{"engines.more.slow.sphinx.slots", "engines.more.slow.weight"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v says nothing of %s", err, want)
		}
	}
}
