package loadtest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"steno/messages"
)

func testListener(d time.Duration) *listener {
	track := onceTrack(noise("a", mono16, d, 1))
	start := time.Now()
	return newListener(0, newPace(track, 20*time.Millisecond, start), newFigures(start, d), nil)
}

func TestListenerFindsTheEndOfAnUtterance(t *testing.T) {
	l := testListener(10 * time.Second)
	at := l.pace.start
	for _, m := range []string{
		`{"type":"speech_end","data":{"time":1.2,"channel":0}}`,
		`{"type":"speech_end","data":{"time":3.2,"channel":0}}`,
		`{"type":"speech_end","data":{"time":9.0,"channel":5}}`,
	} {
		if err := l.receive([]byte(m), at); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		first, last, want float64
		found             bool
	}{{0, 1.1, 1.2, true}, {1, 3.0, 3.2, true}, {1, 3.6, 3.2, true}, {1, 4.3, 0, false}, {1.3, 1.5, 0, false},
		{8, 9.0, 0, false}} {
		e, found := l.endOf(messages.Utterance{Start: tt.first, End: tt.last})
		if e.time != tt.want || found != tt.found {
			t.Errorf("words from %g to %g: %g %t", tt.first, tt.last, e.time, found)
		}
	}
}

func TestListenerTellsChangedRepeats(t *testing.T) {
	l := testListener(time.Second)
	say := func(text string) {
		m := `{"type":"transcript","data":{"id":"00_00000000","is_final":true,"utterance":{"end":0.5,"text":"` + text +
			`"}}}`
		if err := l.receive([]byte(m), l.pace.start.Add(800*time.Millisecond)); err != nil {
			t.Fatal(err)
		}
	}
	say(" one")
	say(" one")
	say(" two")
	if c := l.figures.count; c.Finals != 1 || c.Repeats != 1 || c.Differing != 1 {
		t.Errorf("counts %+v", c)
	}
	if d := newDelay(l.figures.delays[finalDelay]); d.Count != 1 || d.P50 < 0.299 || d.P50 > 0.301 {
		t.Errorf("delay %+v, not 0.3 s", d)
	}
	l.compare([]messages.Utterance{{End: 0.5, Text: " one"}, {End: 0.9, Text: " lost"}})
	if c := l.figures.count; c.Missing != 1 || c.Unrecorded != 0 {
		t.Errorf("counts %+v", c)
	}
	l.compare([]messages.Utterance{{End: 0.5, Text: " other"}})
	if c := l.figures.count; c.Missing != 2 || c.Unrecorded != 1 {
		t.Errorf("counts %+v", c)
	}
}

// An utterance that was cut while its speaker continued has no end of speech: it is measured
// separately, unless the server sends no speech events.
func TestListenerTellsCutsApart(t *testing.T) {
	for name, c := range map[string]struct {
		events     string
		after      bool // they follow the final
		final, cut int64
	}{
		"the server tells of no speech": {"", false, 1, 0},
		"speech goes on":                {`{"type":"speech_start","data":{"time":0.1,"channel":0}}`, false, 0, 1},
		"speech has ended":              {`{"type":"speech_end","data":{"time":0.6,"channel":0}}`, false, 1, 0},
		"earlier speech has ended":      {`{"type":"speech_end","data":{"time":0.2,"channel":0}}`, false, 0, 1},
		"speech of another channel":     {`{"type":"speech_end","data":{"time":0.6,"channel":1}}`, false, 1, 0},
		"speech ends after its final":   {`{"type":"speech_end","data":{"time":0.6,"channel":0}}`, true, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			l := testListener(time.Second)
			w := &follower{listener: testListener(time.Second)}
			final := `{"type":"transcript","data":{"id":"00_00000000","is_final":true,"utterance":{"start":0.3,"end":0.5,"text":" one"}}}`
			messages := []string{c.events, final}
			if c.after {
				slices.Reverse(messages)
			}
			for _, m := range messages {
				if m == "" {
					continue
				}
				for _, receive := range []func([]byte, time.Time) error{l.receive, w.receive} {
					if err := receive([]byte(m), l.pace.start.Add(800*time.Millisecond)); err != nil {
						t.Fatal(err)
					}
				}
			}
			l.closeAll()
			d := l.figures.delays
			if got, cut := d[finalDelay].TotalCount(), d[cutDelay].TotalCount(); got != c.final || cut != c.cut {
				t.Errorf("%d finals and %d of cuts measured, want %d and %d", got, cut, c.final, c.cut)
			}
			if got := w.listener.figures.delays[subscriberDelay].TotalCount(); got != c.final {
				t.Errorf("%d finals measured at a subscriber, want %d", got, c.final)
			}
			if l.figures.count.Finals != 1 || len(w.listener.finals) != 1 {
				t.Error("a final is not counted")
			}
		})
	}
}

// The first words of an utterance that continues where one was cut were in partials of that one.
func TestListenerMeasuresFirstPartialsOfSpeech(t *testing.T) {
	l := testListener(10 * time.Second)
	measured := func(m string) int64 {
		if err := l.receive([]byte(m), l.pace.start.Add(time.Second)); err != nil {
			t.Fatal(err)
		}
		return l.figures.delays[firstPartial].TotalCount()
	}
	partial := func(id string, channel int) string {
		return fmt.Sprintf(`{"type":"transcript","data":{"id":%q,"is_final":false,"utterance":{"start":0.1,"end":0.5,"channel":%d}}}`, id, channel)
	}
	const start = `{"type":"speech_start","data":{"time":0.1,"channel":0}}`
	for i, c := range []struct {
		message string
		want    int64
	}{
		{partial("a", 0), 1}, // of a server that has not sent where speech begins
		{start, 1}, {partial("b", 0), 2}, {partial("b", 0), 2},
		{partial("c", 0), 2}, // continues
		{partial("d", 9), 2}, // of no channel
		{start, 2}, {partial("e", 0), 3},
	} {
		if got := measured(c.message); got != c.want {
			t.Errorf("after message %d there are %d first partials, want %d", i, got, c.want)
		}
	}
	if got := l.figures.count.Partials; got != 6 {
		t.Errorf("%d partials are counted, want 6", got)
	}
}

func TestListenerTrustsNoAck(t *testing.T) {
	l := testListener(time.Second)
	for _, tt := range []struct {
		end  string
		want int64
	}{{"640", 640}, {"640", 640}, {"320", 640}, {"-1", 640}, {"32001", 640}, {"32000", 32000}} {
		m := `{"type":"audio_chunk","acknowledged":true,"error":null,"data":{"byte_range":[0,` + tt.end + `]}}`
		if err := l.receive([]byte(m), l.pace.start); err != nil || l.acked.Load() != tt.want {
			t.Errorf("ack to %s: %d acknowledged, not %d; error %v", tt.end, l.acked.Load(), tt.want, err)
		}
	}
	if l.figures.errs["ack out of range"] != 3 {
		t.Errorf("errors %v", l.figures.errs)
	}
}

func FuzzHear(f *testing.F) {
	for _, m := range []string{
		`{}`, `[]`, `null`, `{"type":"audio_chunk","acknowledged":true,"data":null}`,
		`{"type":"audio_chunk","acknowledged":true,"data":{"byte_range":[0,640]}}`,
		`{"type":"stop_recording","acknowledged":false,"error":{"message":"no"},"data":null}`,
		`{"type":"transcript","data":{"id":"a","is_final":true,"utterance":{"end":1e308,"channel":-1}}}`,
		`{"type":"speech_end","data":{"time":-1e308,"channel":0}}`,
		`{"type":"error","error":{"exception":"x"}}`,
	} {
		f.Add([]byte(m))
	}
	track := onceTrack(noise("a", mono16, time.Second, 1))
	f.Fuzz(func(t *testing.T, b []byte) {
		start := time.Now()
		l := newListener(0, newPace(track, 20*time.Millisecond, start), newFigures(start, time.Second), nil)
		_ = l.receive(b, start.Add(time.Second))
		if acked := l.acked.Load(); acked < 0 || acked > track.length || len(l.ends[0]) > keepEnds ||
			len(l.figures.errs) > maxKinds {
			t.Errorf("acked %d, %d ends, errors %v", acked, len(l.ends[0]), l.figures.errs)
		}
	})
}
