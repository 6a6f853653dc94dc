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

// breach is a line that keeps a promise, and what takes its effect out.
type breach struct {
	promise  string // part of the error that histories then report
	file     string // in the project
	from, to string
}

var breaches = []breach{
	{"bytes are kept", "gateway/client/resume.go", "yield(p[v.skip:])", "yield(p)"},
	{"bytes are kept", "gateway/client/resume.go", "return append(marks.Sent, marks.Boundary)", "return nil"},
	{"two finals of", "session/store/embedded/event_log.go", "WHERE record = records.n AND key = ?)",
		"WHERE record = records.n AND key = ? || 'x')"},
	{"its transcript is", "session/feeder.go", "f.given, f.orders, f.followed, f.ended = nil, nil, 0, nil,",
		"f.given, f.orders, f.followed, f.ended = nil, nil, f.given, nil,"},
	{"never shown", "gateway/client/client.go", "k.session.Attach(ctx, k.out, marks.Seq)",
		"k.session.Attach(ctx, k.out, marks.Seq+1)"},
	{"callbacks: ", "gateway/callbacks/attempt.go", "case err == nil && status/100 == 2:",
		"case err == nil && status/100 != 3:"},
	{"reader: ", "gateway/subscribers/handlers.go", "\tt.position = seq\n", "\tt.position = seq + 1\n"},
	{"after the others", "gateway/live/registry.go", "\tg.total--\n", "\n"},
}

// TestBreachesAreCode holds that the code that the breaches take out is there.
func TestBreachesAreCode(t *testing.T) {
	for _, b := range breaches {
		text, err := os.ReadFile(filepath.Join("..", b.file))
		if n := strings.Count(string(text), b.from); err != nil || n != 1 {
			t.Errorf("%s has %d times %q: %v", b.file, n, b.from, err)
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

// overlay returns the flag with which the Go tool takes the breach for the source.
func (b breach) overlay(t *testing.T) string {
	t.Helper()
	source, err := filepath.Abs(filepath.Join("..", b.file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.go")
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{source: broken}})
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{broken: strings.Replace(string(text), b.from, b.to, 1),
		filepath.Join(dir, "overlay.json"): string(list)} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return "-overlay=" + filepath.Join(dir, "overlay.json")
}
