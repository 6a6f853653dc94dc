package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

// composeFile is what is carried out of compose.yml.
type composeFile struct {
	Services map[string]composeService
	Configs  map[string]struct{ Content string }
}

type composeService struct {
	Image       string
	Entrypoint  []string
	Command     any // a list, or words
	Environment map[string]string
	Hostname    string
	ReadOnly    bool     `yaml:"read_only"`
	SecurityOpt []string `yaml:"security_opt"`
	Configs     []struct{ Source, Target string }
	Volumes     []string
	DependsOn   any `yaml:"depends_on"` // a list, or conditions by name
	Healthcheck struct{ Test []string }
}

// words are the arguments of a service's process.
func (s composeService) words() (all []string) {
	switch c := s.Command.(type) {
	case []any:
		for _, w := range c {
			all = append(all, fmt.Sprint(w))
		}
	case string:
		all = strings.Fields(c)
	}
	return all
}

// needs are the services that it depends on, with the condition that they must fulfil.
func (s composeService) needs() map[string]string {
	all := map[string]string{}
	switch d := s.DependsOn.(type) {
	case []any:
		for _, name := range d {
			all[fmt.Sprint(name)] = "service_started"
		}
	case map[string]any:
		for name, what := range d {
			all[name] = fmt.Sprint(what.(map[string]any)["condition"])
		}
	}
	return all
}

// composition carries out compose.yml: each service is a process of a system, and a host of one
// network.
type composition struct {
	t       *testing.T
	file    composeFile
	image   *image // steno
	env     map[string]string
	hosts   *hosts
	names   string // path of /etc/hosts
	volumes map[string]string
	systems map[string]*system // of images that others make
	running map[string]*gateway
	ended   map[string]bool // services that have completed
}

// variable is one of the environment in compose.yml, with a default, or what is said where there is
// none.
var variable = regexp.MustCompile(`\$\{(\w+):([-?])([^}]*)\}`)

// newComposition reads compose.yml with an environment.
func newComposition(t *testing.T, i *image, env map[string]string) *composition {
	t.Helper()
	text := variable.ReplaceAllStringFunc(readFile(t, "../../compose.yml"), func(place string) string {
		m := variable.FindStringSubmatch(place)
		if value := env[m[1]]; value != "" {
			return value
		}
		if m[2] == "?" {
			t.Fatalf("%s: %s", m[1], m[3])
		}
		return m[3]
	})
	c := &composition{t: t, image: i, env: env, volumes: map[string]string{}, systems: map[string]*system{},
		running: map[string]*gateway{}, ended: map[string]bool{}}
	if err := yaml.Unmarshal([]byte(text), &c.file); err != nil {
		t.Fatal(err)
	}
	c.hosts = newHosts(t, slices.Sorted(maps.Keys(c.file.Services)))
	c.names = c.hosts.file()
	return c
}

// up starts a service after those that it depends on.
func (c *composition) up(name string) {
	c.t.Helper()
	if c.running[name] != nil {
		return
	}
	service := c.file.Services[name]
	for other, condition := range service.needs() {
		c.up(other)
		c.await(other, condition)
	}
	c.t.Log("starting", name)
	c.start(name)
}

// start starts the process of a service.
func (c *composition) start(name string) {
	c.t.Helper()
	service := c.file.Services[name]
	s, run, words := c.container(service.Image)
	run.host = name
	run.args = slices.Concat(either(service.Entrypoint, run.args), either(service.words(), words))
	for key, value := range service.Environment {
		run.env = append(run.env, key+"="+value)
	}
	run.readonly, run.limited = service.ReadOnly, slices.Contains(service.SecurityOpt, "no-new-privileges:true")
	c.put(s, &run, "/etc/hosts", readFile(c.t, c.names))
	for _, config := range service.Configs {
		c.put(s, &run, config.Target, c.file.Configs[config.Source].Content)
	}
	for _, v := range service.Volumes {
		volume, target, _ := strings.Cut(v, ":")
		run.binds = append(run.binds, c.volume(volume)+":"+target)
		if err := os.MkdirAll(s.path(target), 0o755); err != nil {
			c.t.Fatal(err)
		}
	}
	g := &gateway{t: c.t, out: new(output)}
	g.cmd = s.start(context.Background(), run, g.out)
	c.t.Cleanup(func() { kill(g.cmd); _ = g.cmd.Wait() })
	c.running[name] = g
}

// either is the first list that has anything.
func either(list, otherwise []string) []string {
	if len(list) > 0 {
		return list
	}
	return otherwise
}

// container returns the system of an image, a process with its entry point, and what follows that
// where a service has no other. The images of others are made of Debian's packages.
func (c *composition) container(image string) (s *system, run command, words []string) {
	c.t.Helper()
	if image == "steno" {
		data := c.t.TempDir() // a volume that has no name
		uid, gid := 0, 0
		owner := c.image.owner()
		if _, err := fmt.Sscanf(owner, "%d:%d", &uid, &gid); err != nil {
			c.t.Fatal(err)
		}
		if err := os.Chown(data, uid, gid); err != nil {
			c.t.Fatal(err)
		}
		return c.image.system, command{
			args: c.image.entrypoint, env: slices.Clone(c.image.env), user: owner,
			binds: []string{data + ":" + c.image.volumes[0]},
		}, c.image.cmd
	}
	known := map[string]struct{ install, run, cwd string }{
		"valkey/valkey:8":      {installValkey, "valkey-server", "/data"},
		"haproxy:3.0":          {"apt-get update -qq && apt-get install -y -qq --no-install-recommends haproxy >/dev/null 2>&1", "haproxy -W -db -f /usr/local/etc/haproxy/haproxy.cfg", "/"},
		"debian:bookworm-slim": {"true", "sh", "/"},
	}
	of, ok := known[image]
	if !ok {
		c.t.Fatalf("nobody knows what is in the image %s", image)
	}
	if c.systems[image] == nil {
		c.systems[image] = debian(c.t)
		c.systems[image].must(of.install)
	}
	return c.systems[image], command{cwd: of.cwd}, strings.Fields(of.run)
}

// installValkey takes Valkey from Debian's backports. Other hosts may use it without a password, as
// in the image.
const installValkey = `sed -n 's/ bookworm main/ bookworm-backports main/p' /etc/apt/sources.list >/etc/apt/sources.list.d/backports.list
apt-get update -qq && apt-get install -y -qq --no-install-recommends -t bookworm-backports valkey-server >/dev/null 2>&1
printf '#!/bin/sh\nexec /usr/bin/valkey-server "$@" --protected-mode no\n' >/usr/local/bin/valkey-server
chmod +x /usr/local/bin/valkey-server`

// put has a file be in a system: in one that is read-only, for the process alone.
func (c *composition) put(s *system, run *command, path, text string) {
	c.t.Helper()
	outside := s.path(path)
	if run.readonly {
		file, err := os.CreateTemp(c.t.TempDir(), "put-")
		if err != nil {
			c.t.Fatal(err)
		}
		_ = file.Close()
		run.binds = append(run.binds, file.Name()+":"+path)
		if _, err := os.Stat(outside); err != nil {
			s.write(path, "")
		}
		outside = file.Name()
	}
	err := os.MkdirAll(filepath.Dir(outside), 0o755)
	if err == nil {
		err = os.WriteFile(outside, []byte(text), 0o644)
	}
	if err == nil {
		err = os.Chmod(outside, 0o644)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// volume returns the folder of a volume.
func (c *composition) volume(name string) string {
	if c.volumes[name] == "" {
		c.volumes[name] = c.t.TempDir()
	}
	return c.volumes[name]
}

// await waits until a service fulfils a condition.
func (c *composition) await(name, condition string) {
	c.t.Helper()
	service, g := c.file.Services[name], c.running[name]
	switch condition {
	case "service_started":
	case "service_completed_successfully":
		if c.ended[name] {
			return
		}
		if err := g.cmd.Wait(); err != nil {
			c.t.Fatalf("%s: %v\n%s", name, err, g.out)
		}
		c.ended[name] = true
	case "service_healthy":
		s, run, _ := c.container(service.Image)
		run.host, run.args = name, service.Healthcheck.Test[1:] // after CMD
		for end := time.Now().Add(readyFor); ; time.Sleep(time.Second) {
			out, err := s.run(run)
			if err == nil {
				return
			}
			if time.Now().After(end) {
				c.t.Fatalf("%s is not healthy: %v\n%s\n%s", name, err, out, g.out)
			}
		}
	default:
		c.t.Fatalf("unknown condition %s", condition)
	}
}

// composeRuns carries out compose.yml with the documented command. A recording is played to the
// balancer, and the gateway that has its session is killed meanwhile: no word is lost.
func composeRuns(t *testing.T, i *image) {
	calls := engineCalls(t, documented(t, "STENO_API_KEYS="))
	if len(calls) != 1 || !slices.Equal(calls[0].args, []string{"compose", "up", "--build"}) ||
		len(calls[0].keys) != 48 {
		t.Fatalf("docker is called as %q", calls)
	}
	key := calls[0].keys
	c := newComposition(t, i, map[string]string{"STENO_API_KEYS": key})
	for name := range c.file.Services {
		c.up(name)
	}
	c.ready("http://127.0.0.1:8080")
	for _, name := range []string{"gateway-1", "gateway-2", "gateway-3"} {
		c.ready("http://" + c.hosts.names[name] + ":8080")
	}
	played := make(chan error, 1)
	heard := ""
	go func() {
		var err error
		heard, err = c.play(key)
		played <- err
	}()
	killed := c.killOwner(key)
	if err := <-played; err != nil {
		t.Error(err)
	}
	t.Logf("%s was killed\n%s", killed, heard)
	checkHeard(t, heard, said)
	c.start(killed) // it is restarted unless it was stopped
	c.ready("http://" + c.hosts.names[killed] + ":8080")
	for name, service := range c.file.Services {
		if service.Hostname == "" {
			continue
		}
		g := c.running[name]
		g.first = first(t, g.cmd, g.out)
		g.stop()
	}
}

// ready waits until an address, as the balancer reaches it, has a gateway that takes sessions.
func (c *composition) ready(address string) {
	c.t.Helper()
	for end := time.Now().Add(readyFor); ; time.Sleep(500 * time.Millisecond) {
		out, err := c.hosts.at("balancer", "curl", "-sf", "--max-time", "5", address+"/readyz")
		if err == nil {
			return
		}
		if time.Now().After(end) {
			for name, g := range c.running {
				text := g.out.String()
				c.t.Logf("%s:\n%s", name, text[max(0, len(text)-2000):])
			}
			c.t.Fatalf("%s does not become ready: %v %s", address, err, out)
		}
	}
}

// play streams the sentence of the demo to the balancer and returns what is printed.
func (c *composition) play(key string) (string, error) {
	folder, pattern := filepath.Split(speech)
	name := "/data/" + pattern
	return c.image.run(command{
		args: []string{"loadtest", "--key", key, "--audio", name + "0920.wav", "--audio", name + "0930.wav", "--join",
			"--endpointing", "0.3", "--max-utterance", "30"},
		env: c.image.env, host: "balancer", binds: []string{folder + ":/data"}, user: c.image.owner(), readonly: true,
	})
}

// killOwner kills the gateway that has the socket of the running session, once some of it was
// heard, and returns its name.
func (c *composition) killOwner(key string) string {
	c.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		for _, name := range []string{"gateway-1", "gateway-2", "gateway-3"} {
			out, err := c.hosts.at("balancer", "curl", "-s", "--max-time", "5", "-H", "x-service-key: "+key,
				"http://"+c.hosts.names[name]+":8080/v2/sessions")
			var running struct {
				Items []struct{ State, Partial string }
			}
			if err != nil || json.Unmarshal([]byte(out), &running) != nil {
				continue
			}
			for _, s := range running.Items {
				if s.State == "connected" && len(strings.Fields(s.Partial)) > 3 {
					g := c.running[name]
					_ = syscall.Kill(first(c.t, g.cmd, g.out), syscall.SIGKILL)
					_ = g.cmd.Wait()
					return name
				}
			}
		}
	}
	c.t.Fatal("no gateway has the session")
	return ""
}
