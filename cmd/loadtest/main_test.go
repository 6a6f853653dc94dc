package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steno/loadtest"
	"steno/loadtest/reference"
	"steno/messages"
)

func TestRunChecksItsFlags(t *testing.T) {
	for _, tt := range []struct {
		name, args, want string
		code             int
	}{
		{"help", "--help", "--find-capacity", 0},
		{"help of a command", "compare --help", "--tolerance", 0},
		{"nobody there", "--check --url http://127.0.0.1:1", "ready", exitUsage},
		{"nobody there for a session", "--generate tone --url http://127.0.0.1:1 --duration 1s",
			"session: create session: ", exitErrors},
		{"unknown flag", "--loud", "unknown flag", exitUsage},
		{"no such file", "--audio /nowhere", "/nowhere", exitUsage},
		{"no recording", "--audio main_test.go", "main_test.go", exitUsage},
		{"no limit", "--slo final_p95", "final_p95", exitUsage},
		{"no such quantile", "--slo final_p42=1s", "final_p42", exitUsage},
		{"infinite limit", "--generate tone --url http://127.0.0.1:1 --slo errors=inf", "limit must be a number",
			exitUsage},
		{"nothing to measure", "--duration 4s --warm-up 4s", "--warm-up must be shorter than --duration", exitUsage},
		{"nothing behind the ramp", "--generate tone --duration 4s --warm-up 2s --ramp 30s --sessions 3",
			"nothing would be measured", exitUsage},
		{"capacity of what", "--generate tone --find-capacity", "objectives", exitUsage},
		{"no time", "--duration 0s", "--duration: must be above 0", exitUsage},
		{"no ramp", "--ramp=0s", "--ramp: must be above 0", exitUsage},
		{"no settling", "--find-capacity --slo errors=0 --settle=0s", "--settle: must be above 0", exitUsage},
		{"warm-up of a search", "--find-capacity --slo errors=0 --warm-up=1s", "--settle", exitUsage},
		{"no channels", "--channels 0", "--channels: must be a whole number from 1 on", exitUsage},
		{"no sessions", "--sessions 0", "--sessions: must be a whole number from 1 on", exitUsage},
		{"no sessions at most", "--find-capacity --slo errors=0 --max-sessions=0", "--max-sessions: must be",
			exitUsage},
		{"no resolution", "--find-capacity --slo errors=0 --resolution=0", "--resolution must be", exitUsage},
		{"no number", "--generate tone --endpointing=NaN", "endpointing must be between", exitUsage},
		{"no transcripts", "--generate tone --slo wer=2", "wer=2 cannot be measured", exitUsage},
		{"no transcripts for a search", "--generate tone --find-capacity --slo wer=2", "wer=2 cannot be measured",
			exitUsage},
		{"no subscribers", "--generate tone --slo subscriber_p95=1s", "no subscribers", exitUsage},
		{"no partials", "--generate tone --slo partial_p95=1s --no-partials", "partials are not asked for", exitUsage},
		{"all objectives", "--help", "sender_lag, final_first_third, final_last_third", 0},
		{"service before the frame", "reference --service=-1s", "--service", exitUsage},
		{"utterance before the audio", "reference --utterance=-1s", "--utterance", exitUsage},
		{"limits of the reference", "reference --help", "--drop-every", 0},
		{"tolerance", "compare main.go main.go --tolerance=-1", "--tolerance", exitUsage},
		{"tolerance of nothing", "compare main.go main.go --tolerance=NaN", "--tolerance", exitUsage},
		{"least", "compare main.go main.go --least=-1s", "--least", exitUsage},
		{"no report", "merge main_test.go", "decode", exitUsage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs strings.Builder
			err := run(t.Context(), strings.Fields(tt.args), &out, &errs)
			text := strings.Join(strings.Fields(out.String()), " ") // help is broken into lines
			if err != nil {
				text += err.Error()
			}
			if exitCode(err) != tt.code || !strings.Contains(text, tt.want) ||
				strings.Contains(text, "delay in seconds") {
				t.Errorf("exit code %d, error %v, printed %q", exitCode(err), err, text)
			}
		})
	}
}

// TestConsoleCommand runs the command that the console shows, with recordings that are not there:
// this is all that it is refused for.
func TestConsoleCommand(t *testing.T) {
	page, err := os.ReadFile("../../gateway/console/web/pages/load/load.js")
	if err != nil {
		t.Fatal(err)
	}
	_, command, _ := strings.Cut(string(page), "`loadtest ")
	command, _, found := strings.Cut(command, "`\n")
	_, flags, behind := strings.Cut(command, "--key")
	if !found || !behind {
		t.Fatal("the page shows no command")
	}
	args := "--url http://127.0.0.1:1 --key" + strings.NewReplacer(`\\\n`, " ", "talks/", "/nowhere").Replace(flags)
	var out strings.Builder
	if err := run(t.Context(), strings.Fields(args), &out, &out); err == nil || !strings.Contains(err.Error(),
		"/nowhere") {
		t.Errorf("%s: %v", args, err)
	}
}

func TestReportsAreWrittenMergedAndCompared(t *testing.T) {
	s := httptest.NewServer(reference.New(reference.Config{Utterance: 300 * time.Millisecond}))
	defer s.Close()
	dir := t.TempDir()
	old, sum, page := filepath.Join(dir, "old.json"), filepath.Join(dir, "sum.json"), filepath.Join(dir, "page.html")
	var out, errs strings.Builder
	err := run(t.Context(), []string{"--url", s.URL, "--sessions", "2", "--duration", "1s", "--json", old, "--html",
		page, "--slo", "errors=0"}, &out, &errs)
	if code := exitCode(err); code != 0 && code != exitSaturated { // the machine may be busy
		t.Fatalf("exit code %d: %v\n%s%s", code, err, &out, &errs)
	}
	if err := run(t.Context(), []string{"merge", old, old}, &out, &errs); err == nil || !strings.Contains(err.Error(),
		"the same report") {
		t.Errorf("one report merged twice: %v", err)
	}
	other := filepath.Join(dir, "other.json")
	err = run(t.Context(), []string{"--url", s.URL, "--generate", "tone", "--sessions", "2", "--duration", "1s",
		"--json", other}, &out, &errs)
	if code := exitCode(err); code != 0 && code != exitSaturated {
		t.Fatalf("exit code %d: %v\n%s%s", code, err, &out, &errs)
	}
	if err := run(t.Context(), []string{"merge", old, other, "--json", sum}, &out, &errs); err != nil &&
		exitCode(err) != exitSaturated {
		t.Fatal(err)
	}
	if !strings.Contains(errs.String(), "did not all overlap") {
		t.Errorf("of runs one after the other: %q", &errs)
	}
	if err := run(t.Context(), []string{"compare", old, sum, "--tolerance", "1e6"}, &out, &errs); err != nil &&
		exitCode(err) != exitSaturated {
		t.Errorf("compared: %v\n%s", err, &out)
	}
	both, err := loadtest.ReadReport(sum)
	if err != nil || both.Sessions != 4 || both.Done != 4 {
		t.Errorf("merged %+v, error %v", both, err)
	}
	html, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(html), "</html>") {
		t.Errorf("report of %d bytes, error %v", len(html), err)
	}
}

func TestVerdict(t *testing.T) {
	missed := loadtest.Outcome{Objective: loadtest.Objective{Measure: "ack", Quantile: "p99", Limit: 1}}
	late := loadtest.Generator{Saturated: "late"}
	failed := map[string]int{"x": 1}
	for _, tt := range []struct {
		name    string
		report  loadtest.Report
		figures bool
		code    int
	}{
		{"well", loadtest.Report{}, true, 0},
		{"missed", loadtest.Report{Objectives: []loadtest.Outcome{missed}}, true, exitMissed},
		{"errors before objectives", loadtest.Report{Objectives: []loadtest.Outcome{missed}, Errors: failed}, true,
			exitErrors},
		{"saturation before errors", loadtest.Report{Generator: late, Errors: failed}, true, exitSaturated},
		{"saturation before objectives", loadtest.Report{Generator: late, Objectives: []loadtest.Outcome{missed}},
			true, exitSaturated},
		{"interruption comes first of all", loadtest.Report{Interrupted: true, Generator: late, Errors: failed}, true,
			exitInterrupted},
		{"saturated, without figures", loadtest.Report{Generator: late}, false, 0},
	} {
		if code := exitCode(verdict(&tt.report, tt.figures)); code != tt.code {
			t.Errorf("%s: exit code %d, not %d", tt.name, code, tt.code)
		}
	}
}

func TestFiguresThatAreShownAreJudged(t *testing.T) {
	late := &loadtest.Report{Generator: loadtest.Generator{Saturated: "late"}}
	for _, tt := range []struct {
		name  string
		flags runFlags
		code  int
	}{
		{"a single client", runFlags{Sessions: 1}, 0},
		{"with -v and --join", runFlags{Sessions: 1, Verbose: true, Join: true}, exitSaturated},
		{"with a file", runFlags{Sessions: 1, outputFlags: outputFlags{JSON: "x"}}, exitSaturated},
		{"two clients", runFlags{Sessions: 2}, exitSaturated},
	} {
		if code := exitCode(verdict(late, tt.flags.showsFigures(late))); code != tt.code {
			t.Errorf("%s: exit code %d, not %d", tt.name, code, tt.code)
		}
	}
}

func TestSearchWithoutSessionsTellsWhy(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer s.Close()
	var out, errs strings.Builder
	err := run(t.Context(),
		strings.Fields("--generate tone --find-capacity --slo errors=0 --sessions 1 --trial 1s --url "+s.URL), &out,
		&errs)
	if exitCode(err) != exitErrors || !strings.Contains(err.Error(), "refused with 401") {
		t.Errorf("exit code %d, error %v", exitCode(err), err)
	}
}

func TestLeftOutSaysWhy(t *testing.T) {
	why := errors.New("open a.wav: no audio")
	if got := leftOut([]error{why}); got != "1 file left out: open a.wav: no audio" {
		t.Error(got)
	}
	if got := leftOut([]error{why, why}); got != "2 files left out, the first one: open a.wav: no audio" {
		t.Error(got)
	}
}

func heard(final bool, start, end float64, text string) loadtest.Transcript {
	return loadtest.Transcript{
		Recording: "a.wav", Final: final, Delay: 250 * time.Millisecond,
		Utterance: messages.Utterance{Start: start, End: end, Text: text},
	}
}

func TestPrinter(t *testing.T) {
	const (
		clear   = "\r\x1b[K"
		columns = "a.wav\n    from -       to     delay  text\n"
		head    = " 0:00.50 -  0:01.20   +0.25 s"
	)
	tests := []struct {
		name  string
		width int
		want  string
	}{
		{"file", 0, columns + head + "  And now [31mred.\n\n"},
		{"file with partials", 0, columns + head + " ~and now\n" + head + "  And now [31mred.\n\n"},
		{"terminal", 80, columns + "\x1b[2m" + head + "  and now\x1b[0m" + clear + head + "  And now [31mred.\n\n"},
		{"narrow terminal", 38, columns + "\x1b[2m" + head + "  …d now\x1b[0m" + clear + head +
			"  And now [31mred.\n\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			p := newPrinter(&out)
			p.width, p.partials = tt.width, tt.name == "file with partials"
			p.print(heard(false, 0.5, 1.2, " and now"))
			p.print(heard(true, 0.5, 1.2, " And now\x1b[31mred."))
			p.end()
			if got := out.String(); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestClock(t *testing.T) {
	for seconds, want := range map[float64]string{0: "0:00.00", 59.999: "1:00.00", 61.5: "1:01.50",
		3661.25: "1:01:01.25"} {
		if got := clock(seconds); got != want {
			t.Errorf("clock(%g) is %q, not %q", seconds, got, want)
		}
	}
}

func TestRandomStart(t *testing.T) {
	for _, tt := range []struct {
		flags runFlags
		want  bool
	}{
		{runFlags{RandomStart: true}, false}, // every recording once
		{runFlags{RandomStart: true, Duration: 1}, true},
		{runFlags{RandomStart: true, FindCapacity: true}, true},
		{runFlags{RandomStart: false, FindCapacity: true}, false},
		{runFlags{RandomStart: false, Duration: 1}, false},
	} {
		if got := tt.flags.options(nil).RandomStart; got != tt.want {
			t.Errorf("%+v: random start %t", tt.flags, got)
		}
	}
}

func TestInterruptedSearchSaysSo(t *testing.T) {
	s := httptest.NewServer(reference.New(reference.Config{}))
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs strings.Builder
	err := run(ctx, strings.Fields("--generate tone --find-capacity --slo errors=0 --url "+s.URL), &out, &errs)
	if exitCode(err) != exitInterrupted || !strings.Contains(err.Error(), "interrupted before its first trial") {
		t.Errorf("exit code %d, error %v", exitCode(err), err)
	}
}
