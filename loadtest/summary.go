package loadtest

import (
	"fmt"
	"io"
	"math"
)

// WriteSummary writes the report as one line: what was spoken, and how long after it the text came.
func (r *Report) WriteSummary(w io.Writer) error {
	line := fmt.Sprintf("%.0f s of audio, %s", math.Round(r.Audio), counted(r.Finals, "utterance"))
	if d := r.Delays.Partial; d.Count > 0 {
		line += fmt.Sprintf("; words appeared %s after they were spoken", inWords(d.P50))
	}
	if d := r.Delays.Final; d.Count > 0 {
		line += fmt.Sprintf("; the final text came %s after the end of an utterance", inWords(d.P50))
	}
	if r.Words != nil {
		line += fmt.Sprintf("; word error rate %.1f %%", 100*r.Words.Rate)
	}
	if r.Interrupted {
		line += "; interrupted"
	}
	_, err := fmt.Fprintln(w, line+".")
	return err
}

// counted returns a number of things, such as "1 utterance" or "2 utterances".
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// inWords returns a time as people read it: "20 ms" or "1.2 s".
func inWords(s float64) string {
	if s < 0.0995 {
		return fmt.Sprintf("%.0f ms", math.Max(1000*s, 1))
	}
	return fmt.Sprintf("%.1f s", s)
}
