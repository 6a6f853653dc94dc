package loadtest

import (
	"cmp"
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strconv"
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
	for name, r := range map[string]*Report{"capacity": capacityReport(), "run": withDelays(10, time.Second),
		"saturated": saturated, "empty": {}} {
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
	if !strings.Contains(page, "No session began: refused with 401: key unknown.") ||
		!strings.Contains(page, "<b>3</b> things") {
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
	for _, want := range []string{"final_p95=600ms: nothing was measured.", "wer=0.2: nothing was measured.",
		"No. Nothing was measured."} {
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
	if !strings.Contains(page, "<em>2</em> of 5 sessions failed.") ||
		!strings.Contains(page, "12 seconds on the average") || strings.Contains(page, "spoke at once") {
		t.Errorf("the page does not tell of the failures:\n%s", page)
	}
}

// placedText is a text in a drawing, about as wide as it is shown.
type placedText struct{ left, right, y float64 }

func placesOf(t *testing.T, svg, pattern string) []placedText {
	t.Helper()
	const character = 7.0
	var all []placedText
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(svg, -1) {
		x, err1 := strconv.ParseFloat(m[1], 64)
		y, err2 := strconv.ParseFloat(m[2], 64)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		half := character * float64(len([]rune(m[3]))) / 2
		all = append(all, placedText{x - half, x + half, y})
	}
	return all
}

func TestTicksDoNotTouch(t *testing.T) {
	day := withDelays(1, time.Second)
	for at := 256.0; at <= 86400; at += 256 {
		day.Series = append(day.Series, Point{At: at, Sessions: 3})
	}
	search := capacityReport()
	search.Capacity.Trials = nil
	for _, n := range []int{4096, 8192, 9100, 9700, 10_300, 11_000} {
		search.Capacity.Trials = append(search.Capacity.Trials, Trial{Sessions: n, Final: search.Delays.Final})
	}
	drawn := string(pageText{search}.capacityPlot().large())
	for _, f := range append(pageText{day}.seriesPlots(), pageText{search}.seriesPlots()...) {
		drawn += string(f.SVG)
	}
	for i, svg := range strings.SplitAfter(drawn, "</svg>") {
		ticks := placesOf(t, svg, `<text x="([\d.]+)" y="([\d.]+)" text-anchor="middle">([^<]+)</text>`)
		if svg != "" && len(ticks) < 2 {
			t.Errorf("plot %d has %d ticks", i, len(ticks))
		}
		for j := range ticks {
			if j > 0 && ticks[j].left < ticks[j-1].right {
				t.Errorf("plot %d: tick %d touches the one before: %+v", i, j, ticks)
			}
		}
	}
}

func TestNamesOfLinesStayInTheirPlot(t *testing.T) {
	for _, ends := range [][]float64{{1, 1, 1}, {0, 0, 0}, {0.5, 0.5, 0.5}, {9, 9, 9}, {1, 0.99, 0}, {0, 0.02, 0.04}} {
		p := &plot{id: "x", yText: numberText, yLimit: 1, xLimit: 1}
		for _, y := range ends {
			p.lines = append(p.lines, line{name: "ack", style: "accent", points: []point{{0, 0}, {1, y}}})
		}
		for _, svg := range strings.SplitAfter(string(p.small()), "</svg>")[:2] {
			names := placesOf(t, svg, `class="lab accent" x="([\d.]+)" y="([\d.-]+)">([^<]+)</text>`)
			slices.SortFunc(names, func(a, b placedText) int { return cmp.Compare(a.y, b.y) })
			for i, n := range names {
				if n.y < 20 || n.y > 172 || i > 0 && n.y-names[i-1].y < 15.9 {
					t.Errorf("lines that end at %v have their names at %+v", ends, names)
				}
			}
			if len(names) != 3 {
				t.Errorf("%d names", len(names))
			}
		}
	}
}

func TestDelayText(t *testing.T) {
	for s, want := range map[float64]string{0: "0", 0.0015: "1.5 ms", 0.25: "250 ms", 0.9996: "1 s", 1.25: "1.25 s",
		1200: "1200 s"} {
		if got := delayText(s); got != want {
			t.Errorf("delayText(%g) is %q, not %q", s, got, want)
		}
	}
}

func TestPageSaysHowLongAPointIs(t *testing.T) {
	for step, want := range map[float64]string{1: "p95 of each second.", 4: "p95 of each 4 seconds."} {
		r := withDelays(1, time.Second)
		for at := step; at <= 10*step; at += step {
			r.Series = append(r.Series, Point{At: at, Sessions: 1, Final: 1})
		}
		if page := formsOf(t, r)["page"]; !strings.Contains(page, want) {
			t.Errorf("of points of %g s the page does not say %q", step, want)
		}
	}
}

func TestOnlyWhatIsHatchedIsSaidToBe(t *testing.T) {
	for limit, want := range map[int]bool{21: true, 0: false} {
		r := capacityReport()
		if r.Capacity.Limit = limit; limit == 0 {
			r.Capacity.Sessions = 21
		}
		page := formsOf(t, r)["page"]
		if strings.Contains(page, "Hatched:") != want || strings.Contains(page, "<pattern") != want {
			t.Errorf("limit %d: said %t, hatched %t", limit, strings.Contains(page, "Hatched:"),
				strings.Contains(page, "<pattern"))
		}
	}
}

func TestOnePersonIsNotSeveral(t *testing.T) {
	capacity := func(limit int) func(*Report) {
		return func(r *Report) { r.Capacity = &Capacity{Sessions: 1, Step: 1, Limit: limit} }
	}
	for want, change := range map[string]func(*Report){
		"<em>1</em> person spoke for 1 second.":                              func(*Report) {},
		"Until then <em>1</em> person spoke, for 1 second.":                  func(r *Report) { r.Interrupted = true },
		"1 person was to speak, and spoke for 1 second.":                     func(r *Report) { r.Failed = 1 },
		"This server carries <em>1</em> person speaking at a time.":          capacity(2),
		"This server carries <em>at least 1</em> person speaking at a time.": capacity(0),
		"<b>1</b> thing went wrong.":                                         func(*Report) {},
		"1 error, 1 gap in acks, 1 reconnection, 1 repeated final. ": func(r *Report) {
			r.Gaps, r.Reconnects,
				r.Repeats = 1, 1, 1
		},
	} {
		r := withDelays(1, time.Second)
		r.Objectives, r.Audio = nil, 1
		change(r)
		if page := formsOf(t, r)["page"]; !strings.Contains(page, want) || strings.Contains(page, "1 people") {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestNumberCarriedIsSaidToBeConfirmed(t *testing.T) {
	for _, kind := range []string{trialConfirm, trialLimit} { // what was to be too many may be carried
		r := capacityReport()
		r.Capacity.Trials[1].Kind = kind
		if page := formsOf(t, r)["page"]; strings.Count(page, "kept, confirmed 10 s") != 1 {
			t.Errorf("after a trial of kind %s the page does not say once that the number is confirmed", kind)
		}
	}
}

func TestSlowGeneratorOfACapacity(t *testing.T) {
	found := capacityReport()
	found.Generator.Saturated = "it slept"
	if text := (pageText{found}).fairness(); strings.HasPrefix(text, "No.") || !strings.Contains(text, "it slept") {
		t.Errorf("where the objectives were kept: %s", text)
	}
	found.Capacity = &Capacity{Unknown: "the generator itself was too slow"}
	if text := (pageText{found}).fairness(); !strings.HasPrefix(text, "No.") {
		t.Errorf("where nothing was found: %s", text)
	}
}
