package main

import (
	"strings"
	"testing"
	"time"

	"steno/loadtest"
	"steno/messages"
)

func TestRunChecksItsFlags(t *testing.T) {
	for _, tt := range []struct {
		name, args, want string
		ok               bool
	}{
		{"help", "run --help", "--audio=PATH", true},
		{"commands", "--help", "reference", true},
		{"no recording", "", "--audio=PATH", false},
		{"nobody there", "--check --url http://127.0.0.1:1", "ready", false},
		{"unknown flag", "--loud", "unknown flag", false},
		{"no such file", "--audio /nowhere", "/nowhere", false},
		{"address", "--audio main_test.go", "main_test.go", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs strings.Builder
			err := run(t.Context(), strings.Fields(tt.args), &out, &errs)
			text := out.String()
			if err != nil {
				text += err.Error()
			}
			if (err == nil) != tt.ok || !strings.Contains(text, tt.want) {
				t.Errorf("error %v, printed %q", err, text)
			}
		})
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
		{"file", 0, columns + "" + head + " ~and now\n" + head + "  And now [31mred.\n\n"},
		{"terminal", 80, columns + "\x1b[2m" + head + "  and now\x1b[0m" + clear + head + "  And now [31mred.\n\n"},
		{"narrow terminal", 38, columns + "\x1b[2m" + head + "  …d now\x1b[0m" + clear + head + "  And now [31mred.\n\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			p := newPrinter(&out)
			p.width = tt.width
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
	for seconds, want := range map[float64]string{0: "0:00.00", 59.999: "1:00.00", 61.5: "1:01.50", 3661.25: "1:01:01.25"} {
		if got := clock(seconds); got != want {
			t.Errorf("clock(%g) is %q, not %q", seconds, got, want)
		}
	}
}
