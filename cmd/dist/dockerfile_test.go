package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// instruction is one of a Dockerfile.
type instruction struct {
	name  string            // in capitals
	flags map[string]string // --from=x
	args  string            // what follows them, lines joined
}

// words are the arguments, of a JSON list or separated by spaces.
func (i instruction) words() []string {
	var list []string
	if json.Unmarshal([]byte(i.args), &list) == nil {
		return list
	}
	return strings.Fields(i.args)
}

// parseDockerfile reads the instructions of a Dockerfile. It refuses what it does not know.
func parseDockerfile(text string) ([]instruction, error) {
	known := []string{"FROM", "ARG", "WORKDIR", "COPY", "RUN", "USER", "VOLUME", "EXPOSE", "ENV", "HEALTHCHECK",
		"ENTRYPOINT", "CMD"}
	var all []instruction
	joined := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\n")
		if strings.HasPrefix(strings.TrimSpace(line), "#") || joined == "" && line == "" {
			continue
		}
		if before, more := strings.CutSuffix(line, `\`); more {
			joined += before
			continue
		}
		name, args, _ := strings.Cut(strings.TrimSpace(joined+line), " ")
		joined = ""
		i := instruction{name: strings.ToUpper(name), flags: map[string]string{}, args: strings.TrimSpace(args)}
		if !slices.Contains(known, i.name) {
			return nil, fmt.Errorf("unknown instruction %q", name)
		}
		for strings.HasPrefix(i.args, "--") {
			flag, rest, _ := strings.Cut(i.args, " ")
			key, value, _ := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
			i.flags[key], i.args = value, strings.TrimSpace(rest)
		}
		all = append(all, i)
	}
	return all, nil
}

func readDockerfile(t *testing.T) []instruction {
	t.Helper()
	all, err := parseDockerfile(readFile(t, "../../Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestDockerfileIsParsed(t *testing.T) {
	all, err := parseDockerfile("# c\nfrom a AS b\n\nRUN x && \\\n  # c\n  y\nCOPY --from=b /o/ /p/\nCMD [\"s\", \"t u\"]\n")
	if err != nil || len(all) != 4 || all[0].name != "FROM" || all[1].args != "x &&   y" || all[2].flags["from"] !=
		"b" ||
		!slices.Equal(all[2].words(), []string{"/o/", "/p/"}) || !slices.Equal(all[3].words(), []string{"s", "t u"}) {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := parseDockerfile("ONBUILD x\n"); err == nil {
		t.Error("what is not known is not refused")
	}
}

// TestDockerfileFitsTheSources compares the Dockerfile with what it names: files, packages, the
// compiler, configuration.
func TestDockerfileFitsTheSources(t *testing.T) {
	all := readDockerfile(t)
	config, _ := os.ReadFile("../steno/config/steno.yml")
	for _, i := range all {
		switch i.name {
		case "FROM":
			if image, ok := strings.CutPrefix(i.words()[0], "golang:"); ok {
				version, _, _ := strings.Cut(image, "-")
				if !strings.Contains(readFile(t, "../../go.mod"), "\ngo "+version+".") {
					t.Errorf("go.mod asks for another Go than %s", i.args)
				}
			}
		case "USER": // runAsNonRoot refuses names
			if !regexp.MustCompile(`^[1-9][0-9]*$`).MatchString(i.args) ||
				!strings.Contains(readFile(t, "../../Dockerfile"), " --uid "+i.args+" ") {
				t.Errorf("the user is %s, not the number of the one that is made", i.args)
			}
		case "COPY":
			words := i.words()
			for _, source := range words[:len(words)-1] {
				if _, err := os.Stat("../../" + source); i.flags["from"] == "" && err != nil {
					t.Error(err)
				}
			}
		case "ENV":
			for _, pair := range i.words() {
				name, _, _ := strings.Cut(pair, "=")
				if key, ours := strings.CutPrefix(name, "STENO_"); ours && !strings.Contains(string(config),
					"\n"+strings.ToLower(key)+":") {
					t.Errorf("%s is no key of the configuration", name)
				}
			}
		}
	}
	image := installed(all)
	if len(image) < 4 {
		t.Fatalf("packages of the image: %v", image)
	}
	depends := dependencies(t)
	makefile := strings.Fields(strings.ReplaceAll(readFile(t, "../../Makefile"), "\\\n", " "))
	for _, p := range image {
		if p == "bubblewrap" { // the Debian package recommends it
			continue
		}
		if !slices.Contains(depends, p) {
			t.Errorf("%s is in the image, and no dependency of the Debian package", p)
		}
		if !slices.Contains(makefile, p) && p != "ca-certificates" && p != "libstdc++6" { // which compilers bring along
			t.Errorf("%s is in the image, and not among the Makefile's packages", p)
		}
	}
	for _, p := range depends {
		// every Debian system has
		if !slices.Contains(image, p) && p != "adduser" && p != "init-system-helpers" && p != "libc6" {
			t.Errorf("%s is a dependency of the Debian package, and not in the image", p)
		}
	}
}

// installed are the packages that the last stage installs.
func installed(all []instruction) (packages []string) {
	for _, i := range all {
		if i.name == "FROM" {
			packages = nil
		}
		if i.name != "RUN" {
			continue
		}
		for command := range strings.SplitSeq(i.args, "&&") {
			words := strings.Fields(command)
			if len(words) < 3 || words[0] != "apt-get" || words[1] != "install" {
				continue
			}
			for _, w := range words[2:] {
				if !strings.HasPrefix(w, "-") {
					packages = append(packages, w)
				}
			}
		}
	}
	return packages
}

// dependencies are those of the Debian package, without versions.
func dependencies(t *testing.T) (names []string) {
	t.Helper()
	for line := range strings.Lines(readFile(t, "debian/control")) {
		if list, ok := strings.CutPrefix(line, "Depends: "); ok {
			for d := range strings.SplitSeq(list, ",") {
				names = append(names, strings.Fields(d)[0])
			}
		}
	}
	return names
}
