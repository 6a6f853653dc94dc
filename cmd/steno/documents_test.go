package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"

	"steno/cmd/cmdtest"
	"steno/cmd/steno/config"
	"steno/session/asr/models"
)

// documents are the pages for people who use or operate steno.
var documents = []string{
	"../../README.md", "../../COMPARISON.md", "../../SECURITY.md", "../../gateway/GUIDE.md", "DEPLOYMENT.md",
	"OPERATIONS.md", "CONFIGURATION.md",
}

// kinds are what a block may be, by its language. What has no test here is run by
// TestDocumentation; a release by make dist-test; rules of an ACL are those of TestDoctorAccess.
var kinds = map[string][]string{
	"sh": {"", "serve", "make", "shortened", "pull", "release"}, "js": {"", "page", "twilio"},
	"python": {"", "agents"}, "json": {""}, "text": {"", "acl"},
	"yaml": {"config", "fragment", "kubernetes", "prometheus"},
}

// TestDocumentBlocks checks what is no command: configuration, manifests, rules; and the command
// lines of servers.
func TestDocumentBlocks(t *testing.T) {
	for _, b := range cmdtest.Blocks(t, documents...) {
		var err error
		if !slices.Contains(kinds[b.Language], b.Kind) {
			t.Errorf("%s:%d: no test knows what %s %s is", b.File, b.Line, b.Language, b.Kind)
		}
		switch b.Kind {
		case "serve":
			err = checkServeLines(b.Text)
		case "pull":
			err = checkPulls(t, b.Text)
		case "make":
			err = checkTargets(b.Text)
		case "config":
			err = checkConfiguration(t, b.Text)
		case "fragment", "prometheus":
			err = yaml.Unmarshal([]byte(b.Text), new(any))
		case "kubernetes":
			err = checkKubernetes(b.Text)
		}
		if err != nil {
			t.Errorf("%s:%d: %v", b.File, b.Line, err)
		}
	}
}

// checkServeLines reads each line as the shell and steno serve do.
func checkServeLines(text string) error {
	var all error
	for line := range strings.Lines(text) {
		words, err := shellWords(line)
		if err == nil && len(words) > 0 {
			err = checkServe(words[1:])
		}
		all = errors.Join(all, err)
	}
	return all
}

// checkPulls runs each line with a server that has other files than those it pretends to be: they
// are asked for, and refused for their checksums.
func checkPulls(t *testing.T, text string) error {
	address, paths := mirror(t, []byte("something else"))
	for line := range strings.Lines(text) {
		words, err := shellWords(line)
		if err != nil {
			return err
		}
		if len(words) < 3 || words[0] != "steno" || words[1] != "models" {
			return fmt.Errorf("pulls no models: %s", line)
		}
		before := len(*paths)
		_, _, err = runModels(t, t.TempDir(), append(words[2:], "--address", address)...)
		asked := len(*paths) - before
		if err == nil || asked == 0 || strings.Count(err.Error(), models.ErrChecksum.Error()) != asked {
			return fmt.Errorf("%d files were asked for, and not refused: %w", asked, err)
		}
	}
	return nil
}

// shellWords has the shell take a line apart.
func shellWords(line string) ([]string, error) {
	out, err := exec.Command("sh", "-c", "set -- "+line+"\nfor w; do printf '%s\\0' \"$w\"; done").Output()
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}

// checkServe reads arguments as steno serve does. A configuration file that is named is not there:
// the flags are looked at.
func checkServe(args []string) error {
	var line commands
	parser, err := kong.New(&line, kong.Name("steno"), kong.Writers(io.Discard, io.Discard))
	if err != nil {
		return err
	}
	if _, err := parser.Parse(args); err != nil {
		return err
	}
	line.Serve.Config = ""
	_, err = line.Serve.configuration(nil)
	return err
}

// checkTargets wants the targets of make to be there.
func checkTargets(text string) error {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		return err
	}
	for _, m := range regexp.MustCompile(`(?m)^make ([a-z]+)`).FindAllStringSubmatch(text, -1) {
		if !bytes.Contains(makefile, []byte("\n"+m[1]+":")) {
			return errors.New("there is no target " + m[1])
		}
	}
	return nil
}

func checkConfiguration(t *testing.T, text string) error {
	path := filepath.Join(t.TempDir(), "steno.yml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return err
	}
	c, err := config.Load(path, nil)
	if err != nil {
		return err
	}
	return c.Check()
}

// checkKubernetes reads the arguments of the manifest's containers, and wants their probes to be
// what the gateway answers.
func checkKubernetes(text string) error {
	type probe struct {
		HTTPGet struct{ Path string } `yaml:"httpGet"`
	}
	var m struct {
		Kind string
		Spec struct {
			Template struct {
				Spec struct {
					Containers []struct {
						Args            []string
						LivenessProbe   probe `yaml:"livenessProbe"`
						ReadinessProbe  probe `yaml:"readinessProbe"`
						SecurityContext struct {
							NonRoot  bool `yaml:"runAsNonRoot"`
							ReadOnly bool `yaml:"readOnlyRootFilesystem"`
						} `yaml:"securityContext"`
					}
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(text), &m); err != nil {
		return err
	}
	containers := m.Spec.Template.Spec.Containers
	if len(containers) == 0 {
		return errors.New("there are no containers")
	}
	for _, c := range containers {
		if c.LivenessProbe.HTTPGet.Path != "/healthz" || c.ReadinessProbe.HTTPGet.Path != "/readyz" {
			return errors.New("the probes ask for something else than /healthz and /readyz")
		}
		if !c.SecurityContext.NonRoot || !c.SecurityContext.ReadOnly {
			return errors.New("the container has more rights than it needs")
		}
		if err := checkServe(c.Args); err != nil {
			return err
		}
	}
	return nil
}

var (
	markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	fencedBlock  = regexp.MustCompile("(?ms)^```.*?^```$")
	metricName   = regexp.MustCompile(`steno_([a-z_]+[a-z])`)
	settingName  = regexp.MustCompile("`([a-z_]+(?:\\.[a-z_0-9-]+)+)`")
)

// TestDocumentLinks follows the links between documents, to their headings too.
func TestDocumentLinks(t *testing.T) {
	for _, path := range documents {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range markdownLink.FindAllStringSubmatch(fencedBlock.ReplaceAllString(string(text), ""), -1) {
			file, heading, _ := strings.Cut(m[1], "#")
			if strings.Contains(file, "://") {
				continue
			}
			target := filepath.Join(filepath.Dir(path), file)
			if file == "" {
				target = path
			}
			linked, err := os.ReadFile(target)
			if err != nil {
				t.Errorf("%s: %v", path, err)
			} else if heading != "" && !slices.Contains(headings(string(linked)), heading) {
				t.Errorf("%s: %s has no heading %s", path, target, heading)
			}
		}
	}
}

// headings are the names by which a page's headings are linked to.
func headings(page string) (all []string) {
	for line := range strings.Lines(fencedBlock.ReplaceAllString(page, "")) {
		if title := strings.TrimLeft(line, "#"); title != line {
			name := strings.ToLower(strings.TrimSpace(title))
			name = regexp.MustCompile("[^a-z0-9 _-]").ReplaceAllString(name, "")
			all = append(all, strings.ReplaceAll(name, " ", "-"))
		}
	}
	return all
}

// TestDocumentNames looks up the metrics and settings that the documents name.
func TestDocumentNames(t *testing.T) {
	code := sources(t)
	var file map[string]any
	if err := yaml.Unmarshal(config.Defaults, &file); err != nil {
		t.Fatal(err)
	}
	settings := map[string]bool{}
	addSettings(settings, "", file)
	for _, path := range documents {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range metricName.FindAllStringSubmatch(string(text), -1) {
			name := strings.TrimSuffix(m[1], "_bucket")
			if !isMetric(code, name) {
				t.Errorf("%s: there is no metric steno_%s", path, name)
			}
		}
		for _, m := range settingName.FindAllStringSubmatch(string(text), -1) {
			first, _, _ := strings.Cut(m[1], ".")
			if settings[first] && !settings[m[1]] && filepath.Ext(m[1]) != ".md" {
				t.Errorf("%s: there is no setting %s", path, m[1])
			}
		}
	}
}

// addSettings adds the paths of the keys of a mapping, and of the mappings in it.
func addSettings(to map[string]bool, prefix string, mapping map[string]any) {
	for key, value := range mapping {
		to[prefix+key] = true
		if inner, ok := value.(map[string]any); ok {
			addSettings(to, prefix+key+".", inner)
		}
	}
}

// isMetric reports whether a name is in the code, or a part of it to which the rest is prefixed.
func isMetric(code, name string) bool {
	for rest, ok := name, true; ok; _, rest, ok = strings.Cut(rest, "_") {
		if strings.Contains(code, `"`+rest+`"`) || strings.Contains(code, `"steno_`+rest) {
			return true
		}
	}
	return false
}

// sources is the code of the gateway and its commands, tests left out.
func sources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, root := range []string{"../../gateway", "."} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.Name() == "node_modules" {
				return filepath.SkipDir
			}
			if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			text, err := os.ReadFile(path)
			all.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}
