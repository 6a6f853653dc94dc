package gateway

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var historyBreaches = flag.Bool("history.breaches", false,
	"play histories without the code that keeps each promise")

// breach is the code that keeps a promise, and what takes its effect out.
type breach struct {
	promise string // part of the error that histories then report
	edits   []edit // of different files
}

// edit replaces a text of a file of the project.
type edit struct{ file, from, to string }

var breaches = []breach{
	{"bytes are kept", []edit{{"gateway/client/resume.go", "yield(p[v.skip:])", "yield(p)"}}},
	{"bytes are kept", []edit{{"gateway/client/resume.go", "return append(marks.Sent, marks.Boundary)", "return nil"}}},
	// A final is logged with the state after it, and only where the log has none of its key.
	{"two finals of", []edit{
		{"session/emit.go", "w.Event, c.lane, c.state);", "w.Event, -1, nil);"},
		{"session/store/embedded/event_log.go", "key := e.event.Key.String()",
			`key := fmt.Sprintf("%s %p", e.event.Key, new(int64))`}}},
	{"its transcript is", []edit{{"session/feeder.go", "f.given, f.orders, f.followed, f.ended = nil, nil, 0, nil,",
		"f.given, f.orders, f.followed, f.ended = nil, nil, f.given, nil,"}}},
	{"never shown", []edit{{"gateway/client/client.go", "k.session.Attach(ctx, k.out, marks.Seq)",
		"k.session.Attach(ctx, k.out, marks.Seq+8)"}}},
	{"callbacks: ", []edit{{"gateway/callbacks/attempt.go", "case err == nil && status/100 == 2:",
		"case err == nil && status/100 != 3:"}}},
	{"reader: ", []edit{{"gateway/subscribers/handlers.go", "\tt.position = seq\n", "\tt.position = seq + 1\n"}}},
	{"after the others", []edit{{"gateway/live/registry.go", "\tg.total--\n", "\n"}}},
}

// TestBreachesAreCode holds that the code that the breaches take out is there.
func TestBreachesAreCode(t *testing.T) {
	for _, b := range breaches {
		for _, e := range b.edits {
			text, err := os.ReadFile(filepath.Join("..", e.file))
			if n := strings.Count(string(text), e.from); err != nil || n != 1 {
				t.Errorf("%s has %d times %q: %v", e.file, n, e.from, err)
			}
		}
	}
}

// TestPromisesCanBeBroken plays histories on gateways from which the code that keeps a promise is
// taken out: they must report that this promise is broken. It compiles the gateway for each breach,
// so it is run by make promises only.
func TestPromisesCanBeBroken(t *testing.T) {
	if !*historyBreaches {
		t.Skip("compiles the gateway many times: -history.breaches")
	}
	for i, b := range breaches {
		t.Run(strconv.Itoa(i)+" "+b.promise, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "gateway.test")
			build := exec.Command("go", "test", "-c", "-pgo=off", "-vet=off", "-o", program, b.overlay(t), ".")
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			out, err := exec.Command(program, "-test.run", "^TestFaultHistories$", "-test.timeout", "10m", "-histories",
				strconv.Itoa(*historyCount)).CombinedOutput()
			if err == nil || !strings.Contains(string(out), b.promise) {
				t.Errorf("%d histories do not say %q: %v\n%.3000s", *historyCount, b.promise, err, out)
			}
		})
	}
}

// overlay returns the flag with which the Go tool takes the breach for the sources.
func (b breach) overlay(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	for i, e := range b.edits {
		source, err := filepath.Abs(filepath.Join("..", e.file))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		replace[source] = filepath.Join(dir, strconv.Itoa(i)+".go")
		write(t, replace[source], []byte(strings.Replace(string(text), e.from, e.to, 1)))
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	write(t, file, list)
	return "-overlay=" + file
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
