package flux

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"steno/gateway/dialect"
	"steno/gateway/dialect/deepgram"
	"steno/gateway/dialect/dialecttest"
	"steno/messages"
)

// FuzzText reads messages: each is answered once at most, and thresholds stay within their bounds.
func FuzzText(f *testing.F) {
	for _, text := range []string{
		`{"type":"CloseStream"}`, `{"type":"ForceEndTurn"}`, `{"type":"Configure"}`, `{"type":"Other"}`, `[`,
		`{"type":"Configure","thresholds":{"eot_threshold":0.9,"eager_eot_threshold":0.4,"eot_timeout_ms":600}}`,
		`{"type":"Configure","thresholds":{"eot_threshold":1e300},"keyterms":["a"]}`,
		`{"type":"Configure","keyterms":5}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in := &dialecttest.Input{}
		p := &parser{turns: turns{sure: usualSure, timeout: usualTimeout}}
		p.Text([]byte(text), in)
		if n := len(in.Answers) + len(in.Faults) + len(in.Marks) + in.Stopped + in.Alive; n != 1 {
			t.Errorf("%q: %d answers", text, n)
		}
		for _, u := range in.Updates {
			if *u.Endpointing < 0.01 || *u.Endpointing > 10 || *u.Early >= *u.Endpointing {
				t.Errorf("%q: ends after %v, early after %v", text, *u.Endpointing, *u.Early)
			}
		}
		c := newEncoder(p.turns)
		for i, a := range in.Answers {
			c.Event(&messages.Event{Key: messages.Key{Kind: messages.KindAnswer}, Body: a}, func(b []byte) {
				var o struct {
					Sequence int `json:"sequence_id"`
				}
				if err := json.Unmarshal(b, &o); err != nil || o.Sequence != i+1 {
					t.Errorf("%q is answered with %q", text, b)
				}
			})
		}
	})
}

// TestSilences has confidence grow with silence.
func TestSilences(t *testing.T) {
	for query, want := range map[string][2]float64{
		"": {0.4, 0}, "eot_threshold=0.5": {0.1, 0}, "eot_threshold=1": {0.85, 0},
		"eot_threshold=1&eot_timeout_ms=500": {0.3, 0}, "eager_eot_threshold=0.6": {0.4, 0.2},
		"eager_eot_threshold=0.1": {0.4, 0.01}, "eager_eot_threshold=0.3": {0.4, 0.057},
	} {
		values, err := url.ParseQuery("encoding=linear16&sample_rate=16000&" + query)
		if err != nil {
			t.Fatal(err)
		}
		s, err := parseSettings(values)
		if err != nil {
			t.Fatal(err)
		}
		u := s.turns.update()
		if near := func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }; !near(*u.Endpointing, want[0]) ||
			!near(*u.Early, want[1]) {
			t.Errorf("%s: %v, early %v, want %v", query, *u.Endpointing, *u.Early, want)
		}
	}
	for _, query := range []string{
		"eot_threshold=0.4", "eot_threshold=x", "eager_eot_threshold=0.8", "eot_timeout_ms=1",
	} {
		values, _ := url.ParseQuery("encoding=linear16&sample_rate=16000&" + query)
		if _, err := parseSettings(values); err == nil {
			t.Errorf("%s is accepted", query)
		}
	}
}

// turnsOf sends events and returns the turns, each as its event, number and text.
func turnsOf(t *testing.T, all ...messages.Message) string {
	t.Helper()
	c := newEncoder(turns{sure: 0.7, early: 0.4})
	var said []string
	for _, m := range all {
		e := &messages.Event{Message: m}
		if tr, ok := m.(messages.Transcript); ok {
			e.Subject = tr.ID
		}
		c.Event(e, func(b []byte) {
			var o struct {
				Event      string
				Turn       int `json:"turn_index"`
				Transcript string
			}
			if err := json.Unmarshal(b, &o); err != nil {
				t.Error(err)
			}
			said = append(said, strings.Join([]string{o.Event, string(rune('0' + o.Turn)), o.Transcript}, " "))
		})
	}
	if _, code, _ := c.End(dialect.Ending{Why: dialect.Finished}); code != 1000 {
		t.Errorf("closed with %d", code)
	}
	return strings.Join(said, "; ")
}

// words is a transcript of an utterance.
func words(number int64, final bool, text string) messages.Transcript {
	tr := messages.Transcript{ID: messages.UtteranceID(0, number), IsFinal: final}
	for _, w := range strings.Fields(text) {
		tr.Utterance.Words = append(tr.Utterance.Words, messages.Word{Word: " " + w})
	}
	return tr
}

// stage is what has happened to an utterance.
func stage(number int64, s messages.SpeechStage, by messages.EndedBy) messages.Speech {
	return messages.Speech{Number: number, Stage: s, By: by}
}

// TestTurns has events come in all orders that there are.
func TestTurns(t *testing.T) {
	silence, force := messages.EndedBySilence, messages.EndedByForce
	began, early := messages.SpeechBegan, messages.SpeechEarly
	resumed, ended, settled := messages.SpeechResumed, messages.SpeechEnded, messages.SpeechSettled
	for name, c := range map[string]struct {
		events []messages.Message
		want   string
	}{
		"plain": {[]messages.Message{stage(0, began, 0), words(0, false, "a"), words(0, false, "a"),
			words(0, false, "a b"), stage(0, ended, silence), words(0, true, "a b c"), stage(0, settled, silence)},
			"StartOfTurn 0 a; Update 0 a b; EndOfTurn 0 a b c"},
		"no partial": {[]messages.Message{stage(0, began, 0), stage(0, ended, silence), words(0, true, "a"),
			stage(0, settled, silence)}, "StartOfTurn 0 a; EndOfTurn 0 a"},
		"nothing": {[]messages.Message{stage(0, began, 0), stage(0, ended, silence), stage(0, settled, silence),
			stage(1, began, 0), words(1, false, "a"), words(1, true, "a"), stage(1, ended, silence),
			stage(1, settled, silence)}, "StartOfTurn 0 a; EndOfTurn 0 a"},
		"no final": {[]messages.Message{stage(0, began, 0), words(0, false, "a"), stage(0, ended, silence),
			stage(0, settled, silence)}, "StartOfTurn 0 a; EndOfTurn 0 a"},
		"early": {[]messages.Message{words(0, false, "a"), stage(0, early, 0), stage(0, ended, silence),
			words(0, true, "a"), stage(0, settled, silence)},
			"StartOfTurn 0 a; EagerEndOfTurn 0 a; EndOfTurn 0 a"},
		"early, before words": {[]messages.Message{stage(0, began, 0), stage(0, early, 0), words(0, false, "a"),
			words(0, true, "a"), stage(0, ended, silence), stage(0, settled, silence)},
			"StartOfTurn 0 a; EagerEndOfTurn 0 a; EndOfTurn 0 a"},
		"early, then other words": {[]messages.Message{words(0, false, "a"), stage(0, early, 0), words(0, true, "b"),
			stage(0, ended, silence), stage(0, settled, silence)},
			"StartOfTurn 0 a; EagerEndOfTurn 0 a; TurnResumed 0 a; Update 0 b; EndOfTurn 0 b"},
		"taken back": {[]messages.Message{words(0, false, "a"), stage(0, early, 0), stage(0, resumed, 0),
			words(0, false, "a b"), stage(0, early, 0), words(0, true, "a b"), stage(0, settled, silence)},
			"StartOfTurn 0 a; EagerEndOfTurn 0 a; TurnResumed 0 a; Update 0 a b; EagerEndOfTurn 0 a b; " +
				"EndOfTurn 0 a b"},
		"cut by force": {[]messages.Message{words(0, false, "a"), stage(0, ended, force), stage(1, began, 0),
			words(1, false, "b"), words(0, true, "a"), stage(0, settled, force), words(1, true, "b c"),
			stage(1, ended, silence), stage(1, settled, silence)},
			"StartOfTurn 0 a; Update 0 a b; EndOfTurn 0 a b c"},
		"cut at the end": {[]messages.Message{words(0, false, "a"), stage(0, ended, force), words(0, true, "a"),
			stage(0, settled, force), messages.EndRecording{}}, "StartOfTurn 0 a; EndOfTurn 0 a"},
		"the next one first": {[]messages.Message{words(0, false, "a"), stage(0, ended, silence), stage(1, began, 0),
			words(1, false, "b"), stage(1, early, 0), words(0, true, "a"), stage(0, settled, silence)},
			"StartOfTurn 0 a; EndOfTurn 0 a; StartOfTurn 1 b; EagerEndOfTurn 1 b"},
	} {
		if got := turnsOf(t, c.events...); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// FuzzAddress makes sessions of addresses: turns end by silences that sessions take.
func FuzzAddress(f *testing.F) {
	for _, q := range []string{
		"", "encoding=linear16&sample_rate=16000&eot_threshold=0.9", "eager_eot_threshold=0.4&eot_timeout_ms=500",
		"eot_threshold=NaN", "eager_eot_threshold=1&eot_threshold=0.5", "encoding=opus&keyterm=a&language_hint=de",
	} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, query string) {
		values, _ := url.ParseQuery(query)
		s, err := parseSettings(values)
		if err != nil {
			return
		}
		u := s.turns.update()
		if e := *u.Endpointing; !(e >= 0.01 && e <= 10) || !(*u.Early >= 0 && *u.Early < e) {
			t.Errorf("%q: silences of %g and %g s", query, e, *u.Early)
		}
		if s.known {
			_, _ = deepgram.Start(s.request)
		}
	})
}
