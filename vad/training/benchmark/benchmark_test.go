package benchmark

import (
	"slices"
	"strings"
	"testing"

	"steno/vad/training/corpus"
)

func labels(parts ...int) []corpus.Label {
	var out []corpus.Label
	for i, n := range parts {
		out = append(out, slices.Repeat([]corpus.Label{corpus.Label(i % 3)}, n)...)
	}
	return out
}

func TestTallyCountsMissesAndAlarms(t *testing.T) {
	// 50 frames of silence, 40 of speech, 10 unclear; found from 40 to 70.
	clip := corpus.Clip{Samples: make([]float64, 100*corpus.Frame), Labels: labels(50, 40, 10)}
	var c tally
	c.add(clip, []Segment{{Onset: 40, End: 70}, {Onset: 92, End: 94}})
	if c.miss() != 50 || c.alarm() != 20 || c.called() != 32 || c.segments != 2 {
		t.Errorf("miss %v, alarm %v, called %v, %d segments", c.miss(), c.alarm(), c.called(), c.segments)
	}
	if (bound{50, 20, 70}).holds(&c) != true || (bound{50, 20, 69}).holds(&c) || (bound{49, 20, 100}).holds(&c) {
		t.Error("bounds hold wrongly")
	}
}

func TestStartsFindWhatIsCutOff(t *testing.T) {
	var s Starts
	segments := []Segment{{From: 95, Onset: 97, Decided: 120, End: 200, Upto: 210},
		{From: 310, Onset: 315, Decided: 330, End: 400, Upto: 410}}
	s.find(100, segments)
	s.find(300, segments)
	s.find(500, segments)
	if s.Onsets != 3 || s.Missed != 1 || !slices.Equal(s.Delays, []int{200, 300}) ||
		!slices.Equal(s.Clipped, []int{100}) {
		t.Errorf("%+v", s)
	}
}

func TestTheTableMarksWhatFails(t *testing.T) {
	var b strings.Builder
	Print(&b, []Row{{What: "first", OK: true, Good: true}, {What: "second", OK: true}, {What: "third"}})
	for i, want := range []string{"what", "good", "ok", "FAILS"} {
		if line := strings.Split(b.String(), "\n")[i]; !strings.Contains(line, want) {
			t.Errorf("line %q lacks %q", line, want)
		}
	}
}
