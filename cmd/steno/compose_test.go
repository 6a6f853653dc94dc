package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// compose is what the tests look at of compose.yml.
type compose struct {
	Services map[string]struct {
		Entrypoint  []string
		Command     any
		Environment map[string]string
		Hostname    string
		Image       string
	}
	Configs map[string]struct{ Content string }
}

func readCompose(t *testing.T) compose {
	t.Helper()
	text, err := os.ReadFile("../../compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	var c compose
	if err := yaml.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestComposeGateways reads the flags, environment and configuration of the gateways in compose.yml
// as steno serve does.
func TestComposeGateways(t *testing.T) {
	c := readCompose(t)
	file := filepath.Join(t.TempDir(), "steno.yml")
	if err := os.WriteFile(file, []byte(c.Configs["steno"].Content), 0o600); err != nil {
		t.Fatal(err)
	}
	gateways := 0
	for name, s := range c.Services {
		if s.Image != "steno" || len(s.Entrypoint) > 0 {
			continue
		}
		gateways++
		var args []string
		for _, arg := range s.Command.([]any) {
			args = append(args, strings.Replace(arg.(string), "/etc/steno.yml", file, 1))
		}
		environ := []string{"STENO_API_KEYS=0123456789abcdef", "STENO_PUBLIC_URL=http://127.0.0.1:8080"}
		for variable := range s.Environment {
			if !slices.ContainsFunc(environ, func(e string) bool { return strings.HasPrefix(e, variable+"=") }) {
				t.Errorf("%s: the variable %s is not in this test", name, variable)
			}
		}
		var line commands
		parser, err := kong.New(&line, kong.Name("steno"), kong.Writers(io.Discard, io.Discard))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.Parse(args); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		cfg, err := line.Serve.configuration(environ)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if cfg.Valkey.Address == "" || cfg.Blob == "" || s.Hostname != name {
			t.Errorf("%s is alone, or has the name of another: %s", name, s.Hostname)
		}
		if pool := cfg.Engines.More["pool"].Riva; pool == nil || len(pool.Addresses) != 2 {
			t.Errorf("%s: engines are %+v", name, cfg.Engines.More)
		}
	}
	if gateways != 3 {
		t.Errorf("%d gateways", gateways)
	}
}

// TestComposeBalancer has HAProxy check its configuration, and compares its servers with the
// gateways.
func TestComposeBalancer(t *testing.T) {
	c := readCompose(t)
	content := c.Configs["haproxy"].Content
	for name, s := range c.Services {
		if s.Hostname != "" && !strings.Contains(content, "server "+name+" "+name+":8080") {
			t.Errorf("the balancer has no server %s", name)
		}
	}
	// Without these HAProxy asks for addresses at its start alone.
	if resolvers := regexp.MustCompile(`(?m)^ +default-server .*\bresolvers (\S+)`).FindStringSubmatch(content); resolvers == nil ||
		!strings.Contains(content, "resolvers "+resolvers[1]+"\n") {
		t.Error("the balancer does not notice that a gateway has got another address")
	}
	program, err := exec.LookPath("haproxy")
	if err != nil {
		program = "/usr/sbin/haproxy"
		if _, err := os.Stat(program); err != nil {
			t.Skip("haproxy is not installed")
		}
	}
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), program, "-c", "-f", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
