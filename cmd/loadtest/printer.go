package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"steno/loadtest"
)

// printer shows the transcripts of one client, or the progress of many. On a terminal the partials
// of an utterance overwrite one line, which the final replaces; elsewhere every partial is a line
// of its own, marked with a tilde, if they are wanted there. One goroutine at a time uses it.
type printer struct {
	w         io.Writer
	width     int // columns of the terminal; 0: not a terminal
	recording string
	partials  bool          // printed where there is no terminal too
	open      bool          // the cursor stands after a partial or the progress
	told      time.Duration // of the run, when progress was last shown as a line of its own
}

func newPrinter(w io.Writer) *printer {
	p := &printer{w: w}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.width = 80
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			p.width = columns
		}
	}
	return p
}

func (p *printer) print(h loadtest.Transcript) {
	if h.Recording != p.recording {
		p.clear()
		fmt.Fprintf(p.w, "%s\n%8s - %8s  %8s  text\n", clean(h.Recording), "from", "to", "delay")
		p.recording = h.Recording
	}
	text := clean(h.Utterance.Text)
	if h.Utterance.Channel > 0 {
		text = fmt.Sprintf("[channel %d] %s", h.Utterance.Channel, text)
	}
	switch {
	case h.Final:
		p.clear()
		fmt.Fprintf(p.w, "%s  %s\n", times(h), text)
	case p.width > 0:
		const dim, plain = "\x1b[2m", "\x1b[0m"
		p.clear()
		head := times(h)
		fmt.Fprintf(p.w, "%s%s  %s%s", dim, head, tail(text, p.width-uniseg.StringWidth(head)-3), plain)
		p.open = true
	case p.partials:
		fmt.Fprintf(p.w, "%s ~%s\n", times(h), text)
	}
}

// plainEvery is the time between two lines of progress where there is no terminal.
const plainEvery = 10 * time.Second

// progress shows the state of a run: on a terminal on one line, elsewhere on a line of its own now
// and then.
func (p *printer) progress(s loadtest.Progress) {
	line := fmt.Sprintf("%s of %s  %d sessions, %d finals, p95 of finals %.2f s, of acks %.3f s",
		clock(s.Elapsed.Truncate(time.Second).Seconds()),
		clock(s.Span.Truncate(time.Second).Seconds()), s.Sessions, s.Finals, s.Final, s.Ack)
	if s.Failed > 0 {
		line += fmt.Sprintf(", %d failed", s.Failed)
	}
	if s.Errors > 0 {
		line += fmt.Sprintf(", %d errors", s.Errors)
	}
	if p.width == 0 {
		if s.Elapsed-p.told >= plainEvery || s.Elapsed < p.told { // a new run begins at 0
			fmt.Fprintln(p.w, line)
			p.told = s.Elapsed
		}
		return
	}
	p.clear()
	fmt.Fprint(p.w, tail(line, p.width-1))
	p.open = true
}

// trial shows the outcome of a trial of a search.
func (p *printer) trial(t loadtest.Trial) {
	p.clear()
	p.told = 0
	word := "kept"
	if !t.Kept {
		word = "missed: " + t.Why
	}
	fmt.Fprintf(p.w, "%6d sessions, %-8s %3.0f s  ack p99 %6.1f ms, final p95 %7.1f ms  %s\n", t.Sessions, t.Kind+",",
		t.Seconds, 1e3*t.Ack.P99, 1e3*t.Final.P95, clean(word))
}

// end leaves the cursor at the beginning of an empty line, after all transcripts.
func (p *printer) end() {
	p.clear()
	if p.recording != "" {
		fmt.Fprintln(p.w)
	}
}

func (p *printer) clear() {
	if p.open {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.open = false
	}
}

// times returns when an utterance was spoken and the delay of its text, in columns.
func times(h loadtest.Transcript) string {
	return fmt.Sprintf("%8s - %8s  %+6.2f s", clock(h.Utterance.Start), clock(h.Utterance.End), h.Delay.Seconds())
}

// clock returns a time of the recording, such as 1:02:03.45.
func clock(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second)).Round(10 * time.Millisecond)
	minutes := fmt.Sprintf("%d:%05.2f", int(d.Minutes())%60, (d % time.Minute).Seconds())
	if d < time.Hour {
		return minutes
	}
	return fmt.Sprintf("%d:%0*s", int(d.Hours()), len("00:00.00"), minutes)
}

// clean returns text of a server without characters that control a terminal.
func clean(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, s))
}

// tail returns as much of the end of s, where the newest words are, as fits into so many columns.
func tail(s string, columns int) string {
	if uniseg.StringWidth(s) <= columns {
		return s
	}
	var parts []string
	for g := uniseg.NewGraphemes(s); g.Next(); {
		parts = append(parts, g.Str())
	}
	room, from := columns-1, len(parts)
	for from > 0 && room >= uniseg.StringWidth(parts[from-1]) {
		from--
		room -= uniseg.StringWidth(parts[from])
	}
	return "…" + strings.Join(parts[from:], "")
}
