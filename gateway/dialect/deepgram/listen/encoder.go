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
	stopped  bool // the client has sent CloseStream
	marked   bool // a final was sent with from_finalize since the last mark
	text     dialect.Writer
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
	c.text.Reset()
	switch m := e.Message.(type) {
	case messages.Speech:
		c.speech(m, emit)
	case messages.Transcript:
		c.transcript(e.Subject, m, emit)
	case messages.Marked:
		if !c.marked && !m.Refused {
			c.result(result{from: m.Time, to: m.Time, final: true, fromFinalize: true}, emit)
		}
		c.marked = false
	case messages.StopAck:
		c.stopped = true
	case messages.AudioAck:
		if !c.stopped { // what comes too late is left out
			c.failure(m.Refused, emit)
		}
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
	emit(dialect.JSON(deepgram.Object{
		"type": "Error", "variant": "SchemaError", "code": "DATA-0001", "description": why, "message": why,
	}))
}

func (c *encoder) speech(m messages.Speech, emit func([]byte)) {
	ch := c.of(m.Channel)
	u := ch.utterance(m.Number)
	switch m.Stage {
	case messages.SpeechBegan:
		u.from, u.to = m.Time, m.Time
		c.progress(m.Channel, m.Time, emit)
		if ch.quiet = false; c.settings.vadEvents && !m.Cut {
			c.event("SpeechStarted", m.Channel, "timestamp", m.Time, emit)
		}
	case messages.SpeechEnded:
		u.by, u.to = m.By, m.Time
	case messages.SpeechSettled:
		delete(ch.open, m.Number)
		if !u.final && u.shown {
			c.result(result{
				channel: m.Channel, from: u.from, to: u.to, final: true, speechFinal: c.speechFinal(u.by),
				fromFinalize: u.by == messages.EndedByMark,
			}, emit)
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
		c.event("UtteranceEnd", number, "last_word_end", ch.lastWord, emit)
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
	c.result(result{
		channel: number, from: min(m.From, m.Utterance.Start), to: max(m.To, m.Utterance.End), said: m.Utterance,
		final: m.IsFinal, speechFinal: m.IsFinal && c.speechFinal(by), fromFinalize: by == messages.EndedByMark,
	}, emit)
}

// End implements [dialect.Encoder].
func (c *encoder) End(e dialect.Ending) (last []byte, code int, reason string) {
	if e.Why != dialect.Finished {
		code, reason = deepgram.Closing(e)
		return nil, code, reason
	}
	return dialect.JSON(deepgram.Object{
		"type": "Metadata", "transaction_key": "deprecated", "request_id": c.id, "sha256": c.heard.text(),
		"created": c.made.UTC().Format(time.RFC3339Nano), "duration": c.duration, "channels": c.count(),
	}), 1000, ""
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

// result is a message of results.
type result struct {
	channel      int
	from, to     float64 // seconds
	said         messages.Utterance
	final        bool
	speechFinal  bool
	fromFinalize bool
}

// result sends results. SDKs take some fields for granted.
func (c *encoder) result(r result, emit func([]byte)) {
	w := &c.text
	emit(w.Object(func() {
		w.String("type", "Results")
		c.index("channel_index", r.channel)
		w.Float("duration", max(r.to-r.from, 0))
		w.Float("start", r.from)
		w.Bool("is_final", r.final)
		w.Bool("speech_final", r.speechFinal)
		w.Bool("from_finalize", r.fromFinalize)
		w.Member("channel", func() {
			w.List("alternatives", func() { w.Member("", func() { c.alternative(&r.said) }) })
		})
		w.Member("metadata", c.metadata)
	}))
}

// event sends that something happened on a channel.
func (c *encoder) event(kind string, channel int, name string, at float64, emit func([]byte)) {
	w := &c.text
	emit(w.Object(func() {
		w.String("type", kind)
		c.index("channel", channel)
		w.Float(name, at)
	}))
}

// index writes how messages name a channel: by its number and how many there are.
func (c *encoder) index(name string, channel int) {
	c.text.List(name, func() {
		c.text.Int("", channel)
		c.text.Int("", c.count())
	})
}

// alternative writes what was said, as it was asked for.
func (c *encoder) alternative(u *messages.Utterance) {
	w := &c.text
	text := strings.TrimSpace(u.Text)
	if !c.settings.written {
		text = dialect.Bare(text)
	}
	w.String("transcript", text)
	w.Float("confidence", u.Confidence)
	w.List("words", func() {
		for _, spoken := range u.TimedWords() {
			word := deepgram.WordOf(spoken, c.settings.written)
			word.Speaker = u.Speaker
			word.Write(w)
		}
	})
	if u.Language != "" {
		w.List("languages", func() { w.String("", u.Language) })
	}
}

// metadata writes what all results of the session have.
func (c *encoder) metadata() {
	model, _ := c.settings.request["model"].(string)
	w := &c.text
	w.String("request_id", c.id)
	w.Member("model_info", func() {
		w.String("name", model)
		w.String("version", "1")
		w.String("arch", "steno")
	})
	w.String("model_uuid", c.id)
}
