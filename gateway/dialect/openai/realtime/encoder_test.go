package realtime

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"steno/gateway/dialect"
	"steno/messages"
)

// script has an encoder write events, and returns a line for each message: its type, the items that
// it names by letters in the order in which they came, and its text.
func script(t *testing.T, c *encoder, events ...messages.Message) (lines []string) {
	t.Helper()
	letters := map[string]string{}
	letter := func(id string) string {
		if id == "" {
			return ""
		}
		if letters[id] == "" {
			letters[id] = string(rune('a' + len(letters)))
		}
		return letters[id]
	}
	for _, m := range events {
		e := &messages.Event{Key: messages.Key{Kind: m.Kind(), Subject: subjectOf(m)}, Message: m}
		c.Event(e, func(text []byte) {
			var v struct {
				Type, Delta, Transcript string
				Item                    string  `json:"item_id"`
				Previous                *string `json:"previous_item_id"`
				Error                   struct{ Message string }
				Start                   *int `json:"audio_start_ms"`
				End                     *int `json:"audio_end_ms"`
			}
			if err := json.Unmarshal(text, &v); err != nil {
				t.Fatal(err)
			}
			line := v.Type[strings.LastIndex(v.Type, ".")+1:] + " " + letter(v.Item)
			if v.Previous != nil {
				line += " after " + letter(*v.Previous)
			}
			for _, at := range []*int{v.Start, v.End} {
				if at != nil {
					line += fmt.Sprint(" ", *at)
				}
			}
			lines = append(lines, strings.TrimSpace(line+" "+v.Delta+v.Transcript+v.Error.Message))
		})
	}
	return lines
}

func subjectOf(m messages.Message) string {
	switch m := m.(type) {
	case messages.Speech:
		return messages.UtteranceID(0, m.Number)
	case messages.Transcript:
		return m.ID
	}
	return ""
}

func began(n int64, at float64) messages.Message {
	return messages.Speech{Stage: messages.SpeechBegan, Number: n, Time: at}
}

func ended(n int64, at float64, by messages.EndedBy) messages.Message {
	return messages.Speech{Stage: messages.SpeechEnded, Number: n, Time: at, By: by}
}

func settled(n int64, by messages.EndedBy) messages.Message {
	return messages.Speech{Stage: messages.SpeechSettled, Number: n, By: by}
}

func heard(n int64, final bool, agreed int, text string) messages.Message {
	t := messages.Transcript{ID: messages.UtteranceID(0, n), IsFinal: final, Settled: agreed}
	for _, w := range strings.Fields(text) {
		t.Utterance.Words = append(t.Utterance.Words, messages.Word{Word: " " + w, Confidence: 0.5})
	}
	t.Utterance.Text = messages.TextOf(t.Utterance.Words)
	return t
}

const byPause, byMark, byDiscard = messages.EndedBySilence, messages.EndedByMark, messages.EndedByDiscard

// Items are announced, said and completed in order, whatever comes between.
func TestItems(t *testing.T) {
	for _, c := range []struct {
		name   string
		manual bool
		events []messages.Message
		want   string
	}{
		{"two utterances", false, []messages.Message{
			began(0, 1), heard(0, false, 1, "we shall"), ended(0, 2, byPause), began(1, 3),
			heard(0, false, 2, "we shall go"),
			heard(0, true, 0, "we shall go"), settled(0, byPause), heard(1, false, 1, "now then"), ended(1, 4, byPause),
			heard(1, true, 0, "no then"), settled(1, byPause),
		}, "speech_started a 700|delta a we|speech_stopped a 2000|committed a|speech_started b 2700|delta a  shall|" +
			"delta a  go|completed a we shall go|delta b now|speech_stopped b 4000|" +
			"committed b after a|completed b no then"},
		{"nothing heard", false, []messages.Message{began(0, 1), ended(0, 2, byPause), settled(0, byPause)},
			"speech_started a 700|speech_stopped a 2000|committed a|completed a"},
		{"discarded", false, []messages.Message{
			began(0, 1), ended(0, 2, byDiscard), settled(0, byDiscard),
			messages.Marked{Mark: messages.Mark{Discard: true}},
		}, "speech_started a 700|cleared"},
		{"committed while turns are detected", false, []messages.Message{
			began(0, 1), ended(0, 2, byMark), heard(0, true, 0, "go"), settled(0, byMark),
			messages.Marked{}, messages.Marked{},
		}, "speech_started a 700|speech_stopped a 2000|committed a|delta a go|completed a go|" +
			"committed b after a|completed b"},
		{"commits, the next begun before the answer", true, []messages.Message{
			began(0, 1), heard(0, false, 1, "one two"), ended(0, 2, messages.EndedByForce),
			heard(0, true, 0, "one two"),
			settled(0, messages.EndedByForce), began(1, 2), ended(1, 3, byMark), began(2, 4),
			heard(1, true, 0, "three"),
			settled(1, byMark), messages.Marked{Time: 3}, heard(2, true, 0, "four"), settled(2, byMark),
			messages.Marked{Time: 5},
		}, "delta a one|delta a  two|delta a  three|committed a|completed a one two three|delta b four|" +
			"committed b after a|completed b four"},
		{"commits of nothing", true, []messages.Message{messages.Marked{}, messages.Marked{Refused: true}},
			"committed a|completed a"},
		{"cleared", true, []messages.Message{
			began(0, 1), heard(0, false, 1, "one two"), ended(0, 2, byDiscard), settled(0, byDiscard),
			messages.Marked{Mark: messages.Mark{Discard: true}}, messages.Marked{},
		}, "delta a one|cleared|committed b|completed b"},
	} {
		e := newEncoder()
		e.Manual = c.manual
		if got := strings.Join(script(t, e, c.events...), "|"); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

// An utterance that no engine has transcribed fails its item; a session that has failed is an
// error.
func TestFailures(t *testing.T) {
	c := newEncoder()
	var got []string
	emit := func(text []byte) { got = append(got, string(text)) }
	failure := messages.NewFailure(messages.EngineUnavailable, "NotTranscribed", "no engine took it")
	for _, e := range []messages.Event{
		{Key: messages.Key{Kind: messages.KindSpeech, Subject: "00_00000000"}, Message: began(0, 1)},
		{Key: messages.Key{Kind: messages.KindError, Subject: "00_00000000"}, Message: failure},
		{Key: messages.Key{Kind: messages.KindSpeech, Subject: "00_00000000"}, Message: settled(0, byPause)},
		{Key: messages.Key{Kind: messages.KindError}, Message: failure},
	} {
		c.Event(&e, emit)
	}
	if len(got) != 3 || !strings.Contains(got[1], "transcription.failed") ||
		!strings.Contains(got[2], `"type":"error"`) {
		t.Errorf("%q", got)
	}
}

// Every end has a code that clients may get, and a reason that fits.
func TestEnds(t *testing.T) {
	for why := dialect.Finished; why <= dialect.Refused; why++ {
		last, code, reason := newEncoder().End(dialect.Ending{Why: why, Detail: strings.Repeat("x", 200), Status: 401})
		if code < 1000 || code > 1013 || len(reason) > 123 || (why == dialect.Finished) != (code == 1000) {
			t.Errorf("%d: %s %d %s", why, last, code, reason)
		}
	}
}
