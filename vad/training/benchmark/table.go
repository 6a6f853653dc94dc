package benchmark

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Row is one thing measured against what it must reach and what would be good.
type Row struct {
	What, Must, Stretch string
	Reached             string
	OK, Good            bool
	// HeldOut: nothing of the kind, or of the speaker, was in the fit.
	HeldOut bool
}

// Print writes rows as a table, beside them what other detectors reach: the rows of
// others are found by What, that of no detector at hand in the figures written down.
func Print(w io.Writer, rows []Row, others ...[]Row) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "\twhat\tmust\tstretch\treached\tbefore\tWebRTC 3")
	for range others {
		fmt.Fprint(t, "\tSilero")
	}
	fmt.Fprintln(t)
	for _, r := range rows {
		mark := "FAILS"
		if r.Good {
			mark = "good"
		} else if r.OK {
			mark = "ok"
		}
		what := r.What
		if r.HeldOut {
			what += " *"
		}
		known := figures[r.What]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s", mark, what, r.Must, r.Stretch, r.Reached, known.before,
			known.webRTC)
		for _, o := range others {
			fmt.Fprintf(t, "\t%s", find(o, r.What).Reached)
		}
		fmt.Fprintln(t)
	}
	t.Flush()
	fmt.Fprintln(w, "* nothing of the kind, or of the speakers, was in the fit")
}

// Merit orders detectors: what fails costs most, what is good counts.
func Merit(rows []Row) float64 {
	merit := 0.0
	for _, r := range rows {
		switch {
		case r.Must == "": // belongs to the row above
		case r.Good:
			merit++
		case !r.OK:
			merit -= 5
		}
	}
	return merit
}

func find(rows []Row, what string) Row {
	for _, r := range rows {
		if r.What == what {
			return r
		}
	}
	return Row{}
}

// figure is what was reached by others: the detector that was built in before (26 classical
// features, a layer of tanh units), and that of WebRTC at its mode 3 with the endpointer of that
// time.
type figure struct{ before, webRTC string }

var figures = map[string]figure{
	"conversations":           {"14.2 / 12.3", "24.1 / 15.0"},
	"- without trn07":         {"16.4 / 3.1", "24.0 / 2.2"},
	"- white noise 20 dB":     {"21.0 / 7.4", "29.8 / 15.2"},
	"- white noise 10 dB":     {"36.6 / 1.6", "28.0 / 15.1"},
	"- white noise 5 dB":      {"50.7 / 0.9", "27.2 / 15.5"},
	"- at -40 dBFS":           {"15.8 / 11.2", ""},
	"- at -60 dBFS":           {"36.2 / 1.9", ""},
	"- over a telephone":      {"18.1 / 22.3", "21.1 / 8.6"},
	"steady noise and tones":  {"0 segments", ""},
	"generated music":         {"2.4 %", "92 %"},
	"recorded noise":          {"4.3 %", "81.3 %"},
	"all noise":               {"0.82 %", "51.4 %"},
	"everyday noise":          {"19.9 %", ""},
	"recorded music":          {"24.5 %", ""},
	"words, unpadded":         {"11 of 139", ""},
	"words, noise of 3 LSB":   {"25 of 139", ""},
	"words, noise of 30 LSB":  {"20 of 139", ""},
	"cards":                   {"36 %", ""},
	"cold_corpus":             {"6 %", ""},
	"decision, read speech":   {"p50 190 p90 570 ms", "p50 130 p90 610 ms"},
	"cost of 10 ms of speech": {"4.1 us", "5.3 us"},
}
