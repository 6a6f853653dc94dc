package config

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"steno/gateway/limits"
)

// keys lists the paths of all leaves of a configuration struct.
func keys(t reflect.Type, prefix string) []string {
	var list []string
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Tag.Get("yaml") == "-" {
			continue
		}
		path := prefix + f.Tag.Get("yaml")
		if f.Type.Kind() == reflect.Struct {
			list = append(list, keys(f.Type, path+".")...)
			continue
		}
		list = append(list, path)
	}
	return list
}

func TestEveryKeyStandsInTheAnnotatedFile(t *testing.T) {
	var tree map[string]any
	if err := yaml.Unmarshal(Defaults, &tree); err != nil {
		t.Fatal(err)
	}
	for _, path := range keys(reflect.TypeFor[Config](), "") {
		node := any(tree)
		for part := range strings.SplitSeq(path, ".") {
			m, _ := node.(map[string]any)
			var ok bool
			if node, ok = m[part]; !ok {
				t.Errorf("%s has no default in steno.yml", path)
				break
			}
		}
	}
}

func TestDefaultsAreValid(t *testing.T) {
	c, err := Load("", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(); err != nil {
		t.Error(err)
	}
}

func TestFileAndEnvironmentStandOnTopOfEachOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "steno.yml")
	text := "listen: 127.0.0.1:1\nlimits:\n  idle: 7s\n  drain: 1s\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path, []string{
		"STENO_LIMITS_IDLE=9s", "STENO_KEY_HEADERS=a, b", "STENO_ENGINES_SPHINX_DECODERS=3", "STENO_ALLOW_PRIVATE=true",
	})
	if err != nil {
		t.Fatal(err)
	}
	want, _ := Load("", nil)
	want.Listen, want.Limits.Idle, want.Limits.Drain = "127.0.0.1:1", 9*time.Second, time.Second
	want.KeyHeaders, want.Engines.Sphinx.Decoders, want.AllowPrivate = []string{"a", "b"}, 3, true
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got  %+v\nwant %+v", c, want)
	}
}

// Variables that stand for no key are refused where they were meant for one, by name and with the
// key that was meant.
func TestMisspeltVariables(t *testing.T) {
	for variable, meant := range map[string]string{
		"STENO_LISTN": "STENO_LISTEN", "STENO_PUBLICURL": "STENO_PUBLIC_URL", "STENO_LIMIT_IDLE": "STENO_LIMITS_IDLE",
		"STENO_LIMITS_IDEL": "STENO_LIMITS_IDLE", "STENO_API_KYES": "STENO_API_KEYS", "STENO_CONFG": "STENO_CONFIG",
		"STENO_HOST":                "STENO_HOSTS",
		"STENO_LIMITS_IDLE_TIMEOUT": "", "STENO_ENGINES_MORE_W_KEY": "",
	} {
		_, err := Load("", []string{"STENO_LISTEN=:1", variable + "=x"})
		if err == nil || !strings.Contains(err.Error(), variable+" ") || !strings.Contains(err.Error(), meant) {
			t.Errorf("%s: %v", variable, err)
		}
	}
	path := filepath.Join(t.TempDir(), "steno.yml")
	file := "addons: {llm: {key_env: STENO_ADDONS_LLM_SECRET}}\nengines: {more: {w: {openai: {key_env: STENO_ENGINES_W}}}}\nkeys: {a: {key_env: STENO_LISTENER}}\n"
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, variable := range strings.Fields(`STENO_ADDONS_LLM_SECRET STENO_ENGINES_W STENO_LISTENER STENO_TEST_AUDIO STENO_TEST_ALL
		STENO_DIST_TEST STENO_CHAOS STENO_GOLDEN STENO_SECRET STENO_KEY STENO_URL STENO_API_KEY STENO_PORT STENO_SERVICE_HOST
		STENO_SERVICE_PORT STENO_SERVICE_PORT_HTTP STENO_PORT_8080_TCP STENO_PORT_8080_TCP_ADDR STENO_VALKEY_PORT
		STENO_VALKEY_SERVICE_HOST STENO_VALKEY_PORT_6379_TCP_PROTO STENOGRAPHER LISTEN`) {
		if _, err := Load(path, []string{variable + "=x"}); err != nil {
			t.Errorf("%s: %v", variable, err)
		}
	}
}

func TestBadConfigurationIsRefusedByName(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		env  []string
		want string
	}{
		"unknown key":      {file: "lisen: x\n", want: "lisen"},
		"unknown deep key": {file: "limits:\n  idel: 1s\n", want: "idel"},
		"not a duration":   {file: "limits:\n  idle: soon\n", want: "soon"},
		"environment":      {env: []string{"STENO_LIMITS_IDLE=soon"}, want: "STENO_LIMITS_IDLE"},
		"no engine":        {file: "engine: magic\n", want: "engine"},
		"zero limit":       {file: "limits:\n  idle: 0s\n", want: "limits.idle"},
		"frame too large":  {file: "limits:\n  text_frame_bytes: 40000000\n", want: "limits.text_frame_bytes"},
		"no header":        {file: "key_headers: ['x key']\n", want: "key_headers"},
		"no network":       {file: "trusted_proxies: [10.0.0.0/33]\n", want: "trusted_proxies"},
		"batch":            {file: "engines:\n  sherpa: {batch: 128}\n", want: "engines.sherpa.batch"},
		"decoders": {file: "engines:\n  sphinx: {decoders: 4, final_decoders: 8}\n",
			want: "engines.sphinx.final_decoders"},
		"variant": {file: "engines:\n  more: {w: {realtime: {url: 'http://x', variant: azure}}}\n",
			want: "engines.more.w.realtime.variant"},
		"no server": {file: "engines:\n  more: {w: {realtime: {model: m}}}\n", want: "engines.more.w.realtime.url"},
		"requests": {file: "engines:\n  more: {w: {openai: {url: 'http://x', concurrency: -1}}}\n",
			want: "engines.more.w.openai.concurrency"},
		"timeout": {file: "engines:\n  more: {w: {riva: {addresses: [x], final_timeout: -5s}}}\n",
			want: "engines.more.w.riva.final_timeout"},
		"delay": {file: "engines:\n  more: {w: {scripted: {delay: -1s}}}\n",
			want: "engines.more.w.scripted.delay"},
		"no port":        {file: "listen: 0.0.0.0\n", want: "listen must be an address"},
		"only a port":    {file: "admin: 9090\n", want: "admin must be an address"},
		"port too large": {file: "listen: :80800\n", want: "listen must be an address"},
		"bucket's name": {file: "valkey: {address: 'v:6379'}\nblob: s3://b\n",
			want: `blob: no bucket can be called "b": `},
		"blob's scheme": {file: "valkey: {address: 'v:6379'}\nblob: gs://bucket\n",
			want: "blob: address begins with"},
		"two documents": {file: "listen: 127.0.0.1:1\n---\nstrict: true\n", want: "document"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "steno.yml")
			if err := os.WriteFile(path, []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
			cfg, err := Load(path, c.env)
			if err == nil {
				err = cfg.Check()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error that names %q", err, c.want)
			}
		})
	}
}

// TestFaultsOfTheFileAreReadable wants the line, and the key or the value with what belongs there;
// no types of the program.
func TestFaultsOfTheFileAreReadable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "steno.yml")
	for text, want := range map[string]string{
		"lisen: x":                    "line 1: there is no key lisen here",
		"limits:\n  idel: 3s":         "line 2: there is no key idel here",
		"limits: {idle: 5}":           `line 1: "5" must be a duration such as 500ms, 30s or 3h`,
		"strict: perhaps":             `line 1: "perhaps" must be true or false`,
		"hosts: {a: b}":               "line 1: a table must be a list",
		"limits: {sessions: many}":    `line 1: "many" must be a whole number`,
		"listen: [a]":                 "line 1: a list must be text",
		"hello":                       `line 1: "hello" must be a table of keys`,
		"lisen: x\nlimits: {idle: 5}": `line 1: there is no key lisen here; line 2: "5" must be`,
		"limits: 3":                   `line 1: "3" must be a table of keys`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path, nil); err == nil || !strings.HasPrefix(err.Error(), path+": "+want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	_, err := Load("", []string{"STENO_LIMITS_IDLE=5"})
	if want := `environment variable STENO_LIMITS_IDLE: "5" must be a duration such as 500ms, 30s or 3h`; err == nil ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// What 0 means in the file is what the gateway does.
func TestZeroIsAValue(t *testing.T) {
	l := limits.Limits{}.Configured().WithDefaults()
	if l.Sessions != math.MaxInt || l.Pace != math.MaxInt || l.Drain != 1 || l.FreeDisk != 1 ||
		l.Idle != 2*time.Minute {
		t.Errorf("%+v", l)
	}
}
