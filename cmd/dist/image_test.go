package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// image is what a Dockerfile makes: a system, and what is run in it.
type image struct {
	*system
	env        []string
	cwd        string
	user       string
	volumes    []string
	health     []string
	entrypoint []string
	cmd        []string
}

// buildImage carries out the Dockerfile. The images that it begins with are made of Debian's
// packages, and of this machine's Go.
func buildImage(t *testing.T) *image {
	t.Helper()
	stages := map[string]*image{}
	var i *image
	for _, step := range readDockerfile(t) {
		t.Log(step.name, step.args)
		words := step.words()
		switch step.name {
		case "FROM":
			i = from(t, words[0])
			if len(words) == 3 {
				stages[words[2]] = i
			}
		case "ARG":
			if name, _, ok := strings.Cut(step.args, "="); !ok || name == "" {
				t.Fatalf("without a default: %s", step.args)
			}
			i.env = append(i.env, step.args)
		case "ENV":
			i.env = append(i.env, words...)
		case "WORKDIR":
			i.cwd = step.args
			i.mkdir(step.args)
		case "RUN":
			i.build(step.args)
		case "COPY":
			source := "../.."
			if stage := step.flags["from"]; stage != "" {
				source = stages[stage].root
			}
			i.copy(source, words[:len(words)-1], words[len(words)-1])
		case "USER":
			i.user = step.args
		case "VOLUME":
			i.volumes = append(i.volumes, words...)
		case "HEALTHCHECK":
			_, list, _ := strings.Cut(step.args, "CMD ")
			i.health = instruction{args: list}.words()
		case "ENTRYPOINT":
			i.entrypoint = words
		case "CMD":
			i.cmd = words
		}
	}
	return i
}

// from makes the image that a stage begins with.
func from(t *testing.T, name string) *image {
	t.Helper()
	i := &image{system: debian(t), cwd: "/"}
	switch {
	case name == "debian:bookworm-slim":
	case strings.HasPrefix(name, "golang:") && strings.HasSuffix(name, "-bookworm"):
		i.must("apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc libc6-dev ca-certificates >/dev/null")
		i.env = []string{"PATH=/usr/local/go/bin:" + strings.TrimPrefix(searchPath, "PATH="), "GOTOOLCHAIN=local",
			"GOPATH=/go", "HOME=/root"}
	default:
		t.Fatalf("nobody knows what is in the image %s", name)
	}
	return i
}

// build runs a command of the Dockerfile. This machine's Go, with what it has fetched and built, is
// where the image has its own.
func (i *image) build(shell string) {
	i.t.Helper()
	if err := copyFile("/etc/resolv.conf", i.path("/etc/resolv.conf")); err != nil {
		i.t.Fatal(err)
	}
	c := command{args: []string{"/bin/sh", "-c", shell}, env: i.env, cwd: i.cwd, network: true}
	if strings.Contains(strings.Join(i.env, " "), "GOPATH") {
		for from, to := range map[string]string{"GOROOT": "/usr/local/go", "GOMODCACHE": "/go/pkg/mod",
			"GOCACHE": "/root/.cache/go-build"} {
			dir, err := exec.Command("go", "env", from).Output()
			if err != nil {
				i.t.Fatal(err)
			}
			c.binds = append(c.binds, strings.TrimSpace(string(dir))+":"+to)
		}
	}
	if i.user != "" {
		c.user = i.owner()
	}
	if out, err := i.run(c); err != nil {
		i.t.Fatalf("RUN %s: %v\n%s", shell, err, out)
	}
}

// owner returns the user of the image as uid:gid.
func (i *image) owner() string {
	i.t.Helper()
	for line := range strings.Lines(readFile(i.t, i.path("/etc/passwd"))) {
		if f := strings.Split(line, ":"); f[2] == i.user {
			return f[2] + ":" + f[3]
		}
	}
	i.t.Fatalf("no user %s in the image", i.user)
	return ""
}

func (i *image) mkdir(dir string) {
	i.t.Helper()
	if err := os.MkdirAll(i.path(dir), 0o755); err != nil {
		i.t.Fatal(err)
	}
}

// copy copies files and folders of another root, or what .dockerignore leaves of the sources.
func (i *image) copy(root string, sources []string, to string) {
	i.t.Helper()
	if !filepath.IsAbs(to) {
		to = filepath.Join(i.cwd, to) + "/"
	}
	for _, source := range sources {
		from := filepath.Join(root, source)
		err := filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, _ := filepath.Rel(root, p)
			if root == "../.." && ignored(i.t, name) {
				if d.IsDir() {
					return filepath.SkipDir
				}
				return nil
			}
			inside, _ := filepath.Rel(from, p)
			target := i.path(filepath.Join(to, inside))
			if inside == "." && !d.IsDir() && strings.HasSuffix(to, "/") {
				target = i.path(filepath.Join(to, d.Name()))
			}
			info, err := d.Info()
			switch {
			case err != nil:
				return err
			case d.IsDir():
				return os.MkdirAll(target, 0o755)
			case !info.Mode().IsRegular():
				return nil
			}
			if err := copyFile(p, target); err != nil {
				return err
			}
			return os.Chmod(target, info.Mode().Perm())
		})
		if err != nil {
			i.t.Fatal(err)
		}
	}
}

// ignored reports whether .dockerignore leaves a file of the sources out.
func ignored(t *testing.T, name string) bool {
	t.Helper()
	for pattern := range strings.Lines(readFile(t, "../../.dockerignore")) {
		pattern = strings.TrimSpace(pattern)
		if deep, ok := strings.CutPrefix(pattern, "**/"); ok && filepath.Base(name) == deep || pattern == name {
			return true
		}
	}
	return false
}
