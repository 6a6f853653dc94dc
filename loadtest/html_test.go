package loadtest

import (
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"
)

// capacityReport is the report of a search that has found 20 sessions.
func capacityReport() *Report {
	r := withDelays(50, 300*time.Millisecond)
	r.Load.URL = "http://<b>127.0.0.1"
	r.Series = []Point{{At: 1, Sessions: 3, Final: 0.1}, {At: 2, Sessions: 5, Final: 0.2, Errors: 1}}
	r.Server = &ServerUse{Processor: 0.5, Memory: 1 << 20}
	r.Capacity = &Capacity{Sessions: 20, Step: 1, Limit: 21}
	for _, n := range []int{10, 20, 21} {
		t := Trial{Kind: trialBisect, Sessions: n, Seconds: 10, Kept: n <= 20, Final: r.Delays.Final}
		r.Capacity.Trials = append(r.Capacity.Trials, t)
	}
	return r
}

func TestHTMLStandsAlone(t *testing.T) {
	saturated := withDelays(1, time.Second)
	saturated.Generator.Saturated = "it slept"
	for name, r := range map[string]*Report{"capacity": capacityReport(), "run": withDelays(10, time.Second), "saturated": saturated, "empty": {}} {
		var page strings.Builder
		if err := r.WriteHTML(&page); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text := page.String()
		if found := regexp.MustCompile(`(?i)(src|href)=|@import|url\([^#]|<b>127|NaN|Inf\b|%!`).FindString(text); found != "" {
			t.Errorf("%s: the page holds %q", name, found)
		}
		for _, svg := range regexp.MustCompile(`(?s)<svg class=.*?</svg>`).FindAllString(text, -1) {
			if err := wellFormed(svg); err != nil {
				t.Errorf("%s: %v in %.200s", name, err, svg)
			}
		}
		if number := regexp.MustCompile(`<em>\d`).MatchString(text); number != (name != "saturated") {
			t.Errorf("%s: the headline has a number: %t", name, number)
		}
	}
}

func wellFormed(text string) error {
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestTicksAreRound(t *testing.T) {
	for top, want := range map[float64]float64{1: 0.5, 0.8: 0.2, 0.3: 0.1, 64: 20, 1e-3: 5e-4, 7: 2} {
		if got := (&plot{}).yStep(top); got < want*0.999 || got > want*1.001 {
			t.Errorf("up to %g: a tick each %g, not %g", top, got, want)
		}
	}
}

func TestHTMLOfRefusedSessions(t *testing.T) {
	r := runOn(t, newServer(t, nil), func(o *Options) { o.Key, o.Sessions = "guess", 3 })
	page := formsOf(t, r)["page"]
	if !strings.Contains(page, "No session began: refused with 401: key unknown.") || !strings.Contains(page, "<b>3</b> things") {
		t.Errorf("the page does not say why:\n%s", page)
	}
	if strings.Contains(page, "spoke at once") || strings.Contains(page, "Yes.") {
		t.Error("the page tells of people who spoke, or of a fair test")
	}
}

func TestSeriesHasTheErrorsOfTheEnd(t *testing.T) {
	f := newFigures(time.Now(), time.Second)
	f.sample(Point{At: 1})
	f.trouble("late")
	f.add(func(c *counts) { c.Missing += 2 })
	if all := f.series.ended(f.problems()); all[0].Errors != 3 {
		t.Errorf("series %+v, of three things that went wrong", all)
	}
}

func TestNothingMeasuredIsSaid(t *testing.T) {
	r := &Report{counts: counts{Done: 1}, Audio: 1}
	r.Judge([]Objective{{Measure: "final", Quantile: "p95", Limit: 0.6}, {Measure: "wer", Limit: 0.2}})
	page := formsOf(t, r)["page"]
	for _, want := range []string{"final_p95=600ms: nothing was measured.", "wer=0.2: nothing was measured.", "No. Nothing was measured."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q:\n%s", want, page)
		}
	}
	r.Objectives = nil
	for name, text := range formsOf(t, r) {
		if (name == "text" || name == "page") && !strings.Contains(strings.ToLower(text), "nothing was measured") {
			t.Errorf("%s does not say that nothing was measured:\n%s", name, text)
		}
	}
}

func TestMemoryIsRounded(t *testing.T) {
	r := withDelays(1, time.Second)
	r.Server = &ServerUse{Memory: 78<<20 - 1}
	for name, text := range formsOf(t, r) {
		if (name == "text" || name == "page") && !strings.Contains(text, "78 MiB") {
			t.Errorf("%s rounds 78 MiB less a byte to something else:\n%s", name, text)
		}
	}
}

func TestEveryMeasureHasAName(t *testing.T) {
	for _, name := range Measures() {
		if measured[name] == "" {
			t.Errorf("objectives may be about %s, for which the page has no name", name)
		}
	}
}

func TestHTMLOfFailedSessions(t *testing.T) {
	r := withDelays(5, time.Second)
	r.Done, r.Failed, r.Audio = 3, 2, 60
	page := formsOf(t, r)["page"]
	if !strings.Contains(page, "<em>2</em> of 5 sessions failed.") || !strings.Contains(page, "12 seconds on the average") || strings.Contains(page, "spoke at once") {
		t.Errorf("the page does not tell of the failures:\n%s", page)
	}
}
