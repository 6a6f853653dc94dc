package loadtest

import (
	"strings"
	"testing"

	"steno/audio"
)

func TestSummaryIsOneLine(t *testing.T) {
	for want, r := range map[string]*Report{
		"9 s of audio, 1 utterance; words appeared 12 ms after they were spoken; the final text came 0.5 s after the end of an utterance; word error rate 3.7 %.\n": {
			Audio: 9.3, counts: counts{Finals: 1}, Words: &WordErrors{Rate: 0.037},
			Delays: Delays{Partial: Delay{Count: 3, P50: 0.0123}, Final: Delay{Count: 1, P50: 0.51}},
		},
		"1 s of audio, 0 utterances.\n": {Audio: 1},
	} {
		var out strings.Builder
		if err := r.WriteSummary(&out); err != nil || out.String() != want {
			t.Errorf("got  %q, %v\nwant %q", out.String(), err, want)
		}
	}
}

func TestJoin(t *testing.T) {
	format := audio.Format{SampleRate: 16000, BitDepth: 16, Channels: 1}
	a := &Clip{Name: "a", Format: format, Data: []byte{1, 2}, Transcript: "one"}
	b := &Clip{Name: "b", Format: format, Data: []byte{3, 4}, Transcript: "two"}
	c, err := Join([]*Clip{a, b})
	if err != nil || c.Name != "a + b" || string(c.Data) != "\x01\x02\x03\x04" || c.Transcript != "one two" ||
		c.Format != format {
		t.Errorf("%+v, %v", c, err)
	}
	b.Transcript = ""
	if c, err := Join([]*Clip{a, b}); err != nil || c.Transcript != "" || len(a.Data) != 2 {
		t.Errorf("without a transcript: %+v, %v", c, err)
	}
	b.Format.SampleRate = 8000
	if _, err := Join([]*Clip{a, b}); err == nil || !strings.Contains(err.Error(), "b has another format than a") {
		t.Errorf("of two rates: %v", err)
	}
}
