package listen

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/dialect/deepgram"
	"steno/messages"
)

// encoder writes results.
type encoder struct {
	settings *settings
	heard    *digest
	id       string // of the session
	made     time.Time
	duration float64 // of the whole audio, once it is known
	channels []*channel
	marked   bool // a final was sent with from_finalize since the last mark
}

// channel is what was sent of one channel.
type channel struct {
	open map[int64]*utterance
	// quiet: UtteranceEnd may follow, after silence since lastWord.
	quiet    bool
	lastWord float64
}

// utterance is one that is not settled.
type utterance struct {
	by       messages.EndedBy
	from, to float64
	shown    bool // an interim was sent
	final    bool
}

// of returns a channel.
func (c *encoder) of(number int) *channel {
	for len(c.channels) <= number {
		c.channels = append(c.channels, &channel{open: map[int64]*utterance{}})
	}
	return c.channels[number]
}

// utterance returns one by its number.
func (c *channel) utterance(number int64) *utterance {
	u := c.open[number]
	if u == nil {
		u = &utterance{}
		c.open[number] = u
	}
	return u
}

// Event implements [dialect.Encoder].
func (c *encoder) Event(e *messages.Event, emit func([]byte)) {
	switch m := e.Message.(type) {
	case messages.Speech:
		c.speech(m, emit)
	case messages.Transcript:
		c.transcript(e.Subject, m, emit)
	case messages.Marked:
		if !c.marked && !m.Refused {
			c.send(emit, c.empty(0, m.Time, m.Time, false, true))
		}
		c.marked = false
	case messages.AudioAck:
		c.failure(m.Refused, emit)
	case messages.EndRecording:
		c.duration = m.Duration
		c.progressOfAll(m.Duration, emit)
	case nil:
		if e.Kind == messages.KindAnswer {
			emit(append([]byte(`{"request_id":"`+c.id+`",`), e.Body[1:]...))
		}
	default:
		if e.Kind == messages.KindAudioAck {
			c.ack(e.Body, emit)
		}
	}
}

// ack takes the answer to audio, for the time.
func (c *encoder) ack(body []byte, emit func([]byte)) {
	if !slices.ContainsFunc(c.channels, func(ch *channel) bool { return ch.quiet }) {
		return
	}
	var ack struct {
		Data struct {
			Range [2]float64 `json:"time_range"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &ack) == nil {
		c.progressOfAll(ack.Data.Range[1], emit)
	}
}

// failure sends that a message was not understood.
func (c *encoder) failure(why string, emit func([]byte)) {
	c.send(emit, deepgram.Object{
		"type": "Error", "variant": "SchemaError", "code": "DATA-0001", "description": why, "message": why,
	})
}

func (c *encoder) speech(m messages.Speech, emit func([]byte)) {
	ch := c.of(m.Channel)
	u := ch.utterance(m.Number)
	switch m.Stage {
	case messages.SpeechBegan:
		u.from, u.to = m.Time, m.Time
		c.progress(m.Channel, m.Time, emit)
		if ch.quiet = false; c.settings.vadEvents && !m.Cut {
			c.send(emit, deepgram.Object{
				"type": "SpeechStarted", "channel": c.index(m.Channel), "timestamp": m.Time,
			})
		}
	case messages.SpeechEnded:
		u.by, u.to = m.By, m.Time
	case messages.SpeechSettled:
		delete(ch.open, m.Number)
		if !u.final && u.shown {
			c.send(emit, c.empty(m.Channel, u.from, u.to, c.speechFinal(u.by), u.by == messages.EndedByMark))
			c.marked = c.marked || u.by == messages.EndedByMark
		}
		ch.quiet = ch.quiet || u.final
	}
}

// speechFinal reports whether an utterance has ended by a pause.
func (c *encoder) speechFinal(by messages.EndedBy) bool {
	return c.settings.pauses && by == messages.EndedBySilence
}

// progress sends UtteranceEnd where there were no words for as long as was asked for. at is the
// time by now.
func (c *encoder) progress(number int, at float64, emit func([]byte)) {
	ch := c.of(number)
	if wait := c.settings.utteranceEnd; wait > 0 && ch.quiet && at-ch.lastWord >= wait {
		ch.quiet = false
		c.send(emit, deepgram.Object{"type": "UtteranceEnd", "channel": c.index(number), "last_word_end": ch.lastWord})
	}
}

// progressOfAll is progress of the channels on which nobody speaks.
func (c *encoder) progressOfAll(at float64, emit func([]byte)) {
	for i, ch := range c.channels {
		if len(ch.open) == 0 {
			c.progress(i, at, emit)
		}
	}
}

// transcript sends an interim or a final.
func (c *encoder) transcript(id string, m messages.Transcript, emit func([]byte)) {
	number, n, ok := messages.ParseUtteranceID(id)
	if !ok || !m.IsFinal && !c.settings.interim {
		return
	}
	ch := c.of(number)
	u := ch.utterance(n)
	u.shown = true
	by := messages.EndedBy(0)
	if m.IsFinal {
		u.final, by, ch.lastWord = true, m.By, m.Utterance.End
		c.marked = c.marked || by == messages.EndedByMark
	}
	from, to := min(m.From, m.Utterance.Start), max(m.To, m.Utterance.End)
	r := c.result(number, from, to, m.IsFinal, m.IsFinal && c.speechFinal(by), by == messages.EndedByMark)
	r.Channel.Alternatives = []alternative{c.alternative(&m.Utterance)}
	c.send(emit, r)
}

// send sends a message.
func (c *encoder) send(emit func([]byte), v any) {
	if text, err := json.Marshal(v); err == nil { // all that is sent can be encoded
		emit(text)
	}
}

// End implements [dialect.Encoder].
func (c *encoder) End(e dialect.Ending) (last []byte, code int, reason string) {
	if e.Why != dialect.Finished {
		code, reason = deepgram.Closing(e)
		return nil, code, reason
	}
	last, _ = json.Marshal(deepgram.Object{
		"type": "Metadata", "transaction_key": "deprecated", "request_id": c.id, "sha256": c.heard.text(),
		"created": c.made.UTC().Format(time.RFC3339Nano), "duration": c.duration, "channels": c.count(),
	})
	return last, 1000, ""
}

// count is how many channels there are.
func (c *encoder) count() int {
	switch n := c.settings.request["channels"].(type) {
	case int:
		return max(n, len(c.channels))
	case uint16:
		return max(int(n), len(c.channels))
	}
	return max(1, len(c.channels))
}

// index is how results name a channel: by its number and how many there are.
func (c *encoder) index(number int) [2]int { return [2]int{number, c.count()} }

// result is a message of results. SDKs take some fields for granted.
type result struct {
	Type         string   `json:"type"`
	ChannelIndex [2]int   `json:"channel_index"`
	Duration     float64  `json:"duration"`
	Start        float64  `json:"start"`
	IsFinal      bool     `json:"is_final"`
	SpeechFinal  bool     `json:"speech_final"`
	FromFinalize bool     `json:"from_finalize"`
	Channel      choices  `json:"channel"`
	Metadata     metadata `json:"metadata"`
}

type choices struct {
	Alternatives []alternative `json:"alternatives"`
}

type alternative struct {
	Transcript string          `json:"transcript"`
	Confidence float64         `json:"confidence"`
	Words      []deepgram.Word `json:"words"`
	Languages  []string        `json:"languages,omitempty"`
}

type metadata struct {
	RequestID string `json:"request_id"`
	ModelInfo struct {
		Name    string `json:"name"`
		Version string `json:"version"`
		Arch    string `json:"arch"`
	} `json:"model_info"`
	ModelUUID string `json:"model_uuid"`
}

// result returns a message of results without words.
func (c *encoder) result(channel int, from, to float64, final, speechFinal, fromFinalize bool) *result {
	r := &result{
		Type: "Results", ChannelIndex: c.index(channel), Start: from, Duration: max(to-from, 0), IsFinal: final,
		SpeechFinal: speechFinal, FromFinalize: fromFinalize,
		Channel:  choices{[]alternative{{Words: []deepgram.Word{}}}},
		Metadata: metadata{RequestID: c.id, ModelUUID: c.id},
	}
	r.Metadata.ModelInfo.Name, _ = c.settings.request["model"].(string)
	r.Metadata.ModelInfo.Version, r.Metadata.ModelInfo.Arch = "1", "steno"
	return r
}

// empty is a final result without words.
func (c *encoder) empty(channel int, from, to float64, speechFinal, fromFinalize bool) *result {
	return c.result(channel, from, to, true, speechFinal, fromFinalize)
}

// alternative is what was said, as it was asked for.
func (c *encoder) alternative(u *messages.Utterance) alternative {
	a := alternative{Transcript: strings.TrimSpace(u.Text), Confidence: u.Confidence, Words: []deepgram.Word{}}
	if !c.settings.written {
		a.Transcript = dialect.Bare(a.Transcript)
	}
	for _, w := range u.TimedWords() {
		word := deepgram.WordOf(w, c.settings.written)
		word.Speaker = u.Speaker
		a.Words = append(a.Words, word)
	}
	if u.Language != "" {
		a.Languages = []string{u.Language}
	}
	return a
}
