package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"steno/cmd/cmdtest"
)

// engineCall is a call of a container engine in the documents, as the shell passes it on.
type engineCall struct {
	keys string // STENO_API_KEYS in its environment
	args []string
}

// documented returns the block of DEPLOYMENT.md that begins with some words and is run by the tests
// of releases.
func documented(t *testing.T, begin string) string {
	t.Helper()
	for _, b := range cmdtest.Blocks(t, "../steno/DEPLOYMENT.md") {
		if b.Kind == "release" && strings.HasPrefix(b.Text, begin) {
			return b.Text
		}
	}
	t.Fatalf("no block begins with %s", begin)
	return ""
}

// engineCalls has the shell run a block with a function in the place of the container engine, and
// returns how that was called.
func engineCalls(t *testing.T, block string) (calls []engineCall) {
	t.Helper()
	const docker = "docker() { printf '%s\\0' \"$STENO_API_KEYS\" \"$@\"; printf '\\n'; }\n"
	out, err := exec.Command("sh", "-e", "-c", docker+block).Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Split(strings.TrimSuffix(strings.TrimSpace(line), "\x00"), "\x00")
		calls = append(calls, engineCall{words[0], words[1:]})
	}
	return calls
}

// containerRun is what docker run is asked for.
type containerRun struct {
	ports, volumes map[string]string // of the container, by their names outside
	env            []string
	image          string
}

// parseRun reads the arguments of docker run. It fails for what it does not know.
func parseRun(t *testing.T, args []string) containerRun {
	t.Helper()
	r := containerRun{ports: map[string]string{}, volumes: map[string]string{}}
	for i := 1; i < len(args); i++ {
		if !strings.HasPrefix(args[i], "-") {
			r.image = args[i]
			if i != len(args)-1 {
				t.Fatalf("behind the image stand %q", args[i+1:])
			}
			return r
		}
		outside, inside, _ := strings.Cut(args[i+1], ":")
		switch args[i] {
		case "-p":
			r.ports[outside] = inside
		case "-v":
			r.volumes[outside] = inside
		case "-e":
			r.env = append(r.env, args[i+1])
		default:
			t.Fatalf("unknown flag %s", args[i])
		}
		i++
	}
	t.Fatalf("no image in %q", args)
	return r
}

// documentedRun returns what the documents have docker run, after docker build.
func documentedRun(t *testing.T) containerRun {
	t.Helper()
	calls := engineCalls(t, documented(t, "docker build "))
	if len(calls) != 2 || calls[1].args[0] != "run" || !slices.Equal(calls[0].args, []string{"build", "-t", "steno",
		"."}) {
		t.Fatalf("docker is called as %q", calls)
	}
	run := parseRun(t, calls[1].args)
	if run.image != "steno" {
		t.Errorf("the image that is run is %s", run.image)
	}
	return run
}

// TestDocumentedContainer compares the documented docker run with the image of the Dockerfile.
func TestDocumentedContainer(t *testing.T) {
	run := documentedRun(t)
	has := map[string][]string{}
	for _, i := range readDockerfile(t) {
		has[i.name] = append(has[i.name], i.words()...)
	}
	for outside, inside := range run.ports {
		if !slices.Contains(has["EXPOSE"], inside) {
			t.Errorf("port %s is published as %s, and not exposed", inside, outside)
		}
	}
	for name, path := range run.volumes {
		if !slices.Contains(has["VOLUME"], path) {
			t.Errorf("volume %s is at %s, where the image has none", name, path)
		}
	}
	if len(run.ports) != 1 || len(run.volumes) != 1 || !slices.Equal(run.env, []string{"STENO_API_KEYS=" + testKey}) {
		t.Errorf("it is run as %+v", run)
	}
}

// TestReleaseBlocks wants every block that is left to the tests of releases to be one that they
// run.
func TestReleaseBlocks(t *testing.T) {
	run := []string{documented(t, "apt install "), documented(t, "docker build "), documented(t, "STENO_API_KEYS=")}
	for _, b := range cmdtest.Blocks(t, "../../README.md", "../../gateway/GUIDE.md", "../steno/DEPLOYMENT.md",
		"../steno/OPERATIONS.md") {
		if b.Kind == "release" && !slices.Contains(run, b.Text) {
			t.Errorf("%s:%d: nothing runs it", b.File, b.Line)
		}
	}
}
