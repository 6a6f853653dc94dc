package endtoend_test

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// TestConsoleCode runs the samples of the console's panel Code, with options whose words need
// quoting: each receives words, and has sent the panel's options.
func TestConsoleCode(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and starts the programs")
	}
	needCommands(t)
	g := newGateway(t, build(t), "scripted")
	var written struct {
		Request                  map[string]any
		JavaScript, Python, Curl string
	}
	runScript(t, consoleFolder, "node", "testdata/code.mjs", map[string]any{"address": g.url()}, &written)
	w := newWorkbench(t, g)
	key := environment{"KEY": testKey}
	for language, run := range map[string]func() (string, error){
		"javascript": func() (string, error) {
			return w.run(key, "node",
				w.write("code.mjs", []byte(written.JavaScript)))
		},
		"python": func() (string, error) {
			return w.run(key, "python3",
				w.write("code.py", []byte(written.Python)))
		},
		"curl": func() (string, error) { return w.shell(key, written.Curl) },
	} {
		t.Run(language, func(t *testing.T) {
			if language == "python" {
				needPython(t)
			}
			said, err := run()
			if err != nil || len(strings.Fields(said)) < 3 {
				t.Fatalf("%q, %v", said, err)
			}
			var list struct{ Items []struct{ ID string } }
			g.ask(t, "GET", "/v2/live?limit=1", "", nil, http.StatusOK, &list)
			var job struct {
				Params map[string]any `json:"request_params"`
			}
			g.ask(t, "GET", "/v2/live/"+list.Items[0].ID, "", nil, http.StatusOK, &job)
			for name, want := range written.Request {
				if !within(job.Params[name], want) {
					t.Errorf("%s: %v was asked for, not %v", name, job.Params[name], want)
				}
			}
		})
	}
}

// within tells whether a value has all that another one has.
func within(have, want any) bool {
	fields, ok := want.(map[string]any)
	if !ok {
		return reflect.DeepEqual(have, want)
	}
	all, ok := have.(map[string]any)
	for name, value := range fields {
		ok = ok && within(all[name], value)
	}
	return ok
}
