package endtoend_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"steno/cmd/cmdtest"
)

// runPython runs a script that prints what is said in talk.wav. The API has to have the fields that
// the types of the public library are given: neither the stand-in's types nor the gateway refuse
// others.
func (w *workbench) runPython(t *testing.T, b cmdtest.Block, env environment) {
	needPrograms(t, "python3")
	const fields = "import ast, sys\n" +
		"for n in ast.walk(ast.parse(open(sys.argv[1]).read())):\n" +
		"  if isinstance(n, ast.Call) and getattr(n.func, 'id', '').startswith('LiveV2'): print(*[k.arg for k in n.keywords])\n"
	said, err := w.run(env, "python3", "-c", fields, w.write(fmt.Sprintf("fields%d.py", b.Line), []byte(b.Text)))
	if err != nil {
		t.Fatal(err)
	}
	if len(strings.Fields(said)) == 0 {
		t.Error("it gives no fields")
	}
	known := w.described(t, "LiveRequest", "MessagesConfigInput")
	for _, name := range strings.Fields(said) {
		if !slices.Contains(known, name) {
			t.Errorf("the API has no field %s", name)
		}
	}
	w.runWithPackages(t, b, env, "", "gladiaio_sdk")
}

// described are the fields of schemas of the API.
func (w *workbench) described(t *testing.T, schemas ...string) (names []string) {
	t.Helper()
	resp, err := http.Get(w.g.url() + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var doc struct {
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&doc); err != nil {
		t.Fatal(err)
	}
	for _, schema := range schemas {
		for name := range doc.Components.Schemas[schema].Properties {
			names = append(names, name)
		}
	}
	return names
}

// runAgents runs a script that makes services of voice agents. Stand-ins of them then transcribe
// talk.wav; the real ones need the agents around them, and are only made.
func (w *workbench) runAgents(t *testing.T, b cmdtest.Block, env environment) {
	const use = `
for stt in (pipecat_stt, livekit_stt):
    if hasattr(stt, "stand_in"):
        with open("talk.wav", "rb") as file:
            print(stt.stand_in(file.read()[44:]))
    else:
        print("the real", type(stt), "was made")
`
	w.runWithPackages(t, b, env, "KEY = __import__('os').environ['KEY']\n%s"+use, "pipecat.services.gladia.stt",
		"livekit.plugins.gladia")
}

// runWithPackages runs a script, put into a frame if that is not empty, with the packages that it
// imports, or where one is not installed, with the stand-ins of testdata/standins.
func (w *workbench) runWithPackages(t *testing.T, b cmdtest.Block, env environment, frame string, packages ...string) {
	python := pythonWith(packages...)
	environ := environment{}
	for name, value := range env {
		environ[name] = value
	}
	if python == "" {
		if python = pythonWith("requests", "websockets"); python == "" {
			t.Skip("the packages that the script needs are not installed")
		}
		folder, err := filepath.Abs("testdata/standins")
		if err != nil {
			t.Fatal(err)
		}
		environ["PYTHONPATH"], environ["PYTHONDONTWRITEBYTECODE"] = folder, "1"
	}
	text := w.here(b.Text)
	if frame != "" {
		text = fmt.Sprintf(frame, text)
	}
	said, err := w.run(environ, python, w.write(fmt.Sprintf("block%d.py", b.Line), []byte(text)))
	if err != nil || len(strings.Fields(said)) < 3 {
		t.Errorf("%v\n%s", err, said)
	}
}

// pythonWith finds an interpreter that has packages; empty: there is none.
func pythonWith(packages ...string) string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		path, err := exec.LookPath(name)
		if err == nil && exec.Command(path, "-c", "import "+strings.Join(packages, ", ")).Run() == nil {
			return path
		}
	}
	return ""
}
