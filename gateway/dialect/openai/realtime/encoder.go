package realtime

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"steno/gateway/dialect"
	"steno/gateway/dialect/openai"
	"steno/messages"
)

// terms is what the encoder has to know of settings.
type terms struct {
	Manual   bool `json:"manual,omitempty"`  // the client commits
	Padding  int  `json:"padding,omitempty"` // ms by which speech begins earlier
	Logprobs bool `json:"logprobs,omitempty"`
}

// item is what a client knows as one: an utterance, or what it has committed together.
type item struct {
	id       string
	said     string          // deltas so far
	text     string          // of its finals
	words    []messages.Word // of them
	from, to float64         // seconds
	failed   string          // why a part has no transcript; empty: all have one
	dropped  bool            // nothing more is sent of it
}

// spoken is an utterance: one item, or a part of what the client commits. Which, is known once
// it has words, since it may have begun before the answer to the commit before it.
type spoken struct {
	from, to float64 // seconds
	item     *item   // nil: not known yet
}

// encoder writes for a client. Items are finished in the order in which they began, each before the
// first delta of the next: some clients join deltas whatever their item.
type encoder struct {
	terms
	events   counter
	text     dialect.Writer
	heard    map[int64]*spoken // by number, utterances that are not settled
	items    []*item           // that are not finished, in order
	open     *item             // to be committed by the client; nil: there is none yet
	previous *string           // id of the item that was committed last
	ended    bool              // the client's next commit is that of an item which was announced already
}

func newEncoder() *encoder {
	first := defaults()
	return &encoder{terms: first.terms(), heard: map[int64]*spoken{}}
}

// Event implements dialect.Encoder.
func (c *encoder) Event(e *messages.Event, emit func([]byte)) {
	c.text.Reset()
	_, number, _ := messages.ParseUtteranceID(e.Subject)
	switch m := e.Message.(type) {
	case messages.Speech:
		c.speech(m, emit)
	case messages.Transcript:
		c.transcript(number, m, emit)
	case messages.Marked:
		c.marked(m, emit)
	case messages.Failure:
		c.failure(e.Subject, number, m, emit)
	case nil:
		if e.Kind == messages.KindAnswer {
			c.answer(e.Body, emit)
		}
	}
}

// answer passes on what the parser answers, after the settings that hold from then on.
func (c *encoder) answer(body []byte, emit func([]byte)) {
	head, text, _ := bytes.Cut(body, []byte("\n"))
	var t terms
	if json.Unmarshal(head, &t) == nil {
		c.terms = t
	}
	emit(text)
}

// add begins an item.
func (c *encoder) add(from float64) *item {
	i := &item{id: "item_" + rand.Text(), from: from, to: from}
	c.items = append(c.items, i)
	return i
}

// speech announces an utterance and its end, and completes it. What the client commits is not
// announced.
func (c *encoder) speech(m messages.Speech, emit func([]byte)) {
	u := c.heard[m.Number]
	if u == nil {
		u = &spoken{from: m.Time, to: m.Time}
		c.heard[m.Number] = u
	}
	switch m.Stage {
	case messages.SpeechBegan:
		if !c.Manual {
			c.began(u, emit)
		}
	case messages.SpeechEnded:
		u.to = m.Time
		if u.item != nil && u.item != c.open {
			c.stopped(u, m, emit)
		}
	case messages.SpeechSettled:
		delete(c.heard, m.Number)
		if u.item != nil && u.item != c.open {
			c.ended = c.ended || m.By == messages.EndedByMark
			c.finish(u.item, emit)
		}
	}
}

// began announces an utterance as an item.
func (c *encoder) began(u *spoken, emit func([]byte)) {
	u.item = c.add(u.from)
	c.emit(emit, "input_audio_buffer.speech_started", map[string]any{
		"audio_start_ms": max(milliseconds(u.from)-c.Padding, 0), "item_id": u.item.id,
	})
}

// stopped announces the end of an utterance, unless the client has it discarded.
func (c *encoder) stopped(u *spoken, m messages.Speech, emit func([]byte)) {
	u.item.to = u.to
	if u.item.dropped = m.By == messages.EndedByDiscard; u.item.dropped {
		return
	}
	c.emit(emit, "input_audio_buffer.speech_stopped", map[string]any{
		"audio_end_ms": milliseconds(u.to), "item_id": u.item.id,
	})
	c.committed(u.item, emit)
}

// itemOf returns the item of an utterance that has words or has failed; nil: it is none's.
func (c *encoder) itemOf(number int64) *item {
	u := c.heard[number]
	if u == nil {
		return nil
	}
	if u.item == nil {
		if c.open == nil {
			c.open = c.add(u.from)
		}
		u.item = c.open
	}
	u.item.to = max(u.item.to, u.to)
	return u.item
}

func (c *encoder) committed(i *item, emit func([]byte)) {
	c.emit(emit, "input_audio_buffer.committed", map[string]any{"previous_item_id": c.previous, "item_id": i.id})
	c.previous = &i.id
}

// transcript sends the words that are settled.
func (c *encoder) transcript(number int64, m messages.Transcript, emit func([]byte)) {
	i := c.itemOf(number)
	if i == nil || i.dropped {
		return
	}
	u := m.Utterance
	if m.IsFinal {
		i.text += u.Text
		i.words = append(i.words, u.Words...)
		c.delta(i, i.text, emit)
		return
	}
	c.delta(i, i.text+messages.TextOf(u.Words[:min(m.Settled, len(u.Words))]), emit)
}

// delta sends what a text has beyond that of the item so far, if it begins with that and no other
// item comes first.
func (c *encoder) delta(i *item, text string, emit func([]byte)) {
	text = strings.TrimLeft(text, " ")
	more, ok := strings.CutPrefix(text, i.said)
	if !ok || more == "" || c.items[0] != i {
		return
	}
	i.said = text
	w := &c.text
	emit(w.Object(func() {
		w.String("type", "conversation.item.input_audio_transcription.delta")
		w.String("event_id", c.events.next())
		w.String("item_id", i.id)
		w.Int("content_index", 0)
		w.String("delta", more)
	}))
}

// finish completes an item, the first of those that are left.
func (c *encoder) finish(i *item, emit func([]byte)) {
	c.items = slices.DeleteFunc(c.items, func(o *item) bool { return o == i })
	switch {
	case i.dropped:
	case i.failed != "":
		c.emit(emit, "conversation.item.input_audio_transcription.failed", map[string]any{
			"item_id": i.id, "content_index": 0,
			"error": map[string]any{"type": "server_error", "code": "transcription_failed", "message": i.failed},
		})
	default:
		done := map[string]any{
			"item_id": i.id, "content_index": 0, "transcript": strings.TrimSpace(i.text),
			"usage": map[string]any{"type": "duration", "seconds": math.Round(max(i.to-i.from, 0)*100) / 100},
		}
		if c.Logprobs {
			done["logprobs"] = logprobs(i.words)
		}
		c.emit(emit, "conversation.item.input_audio_transcription.completed", done)
	}
}

// logprob is how sure a word is.
type logprob struct {
	Token   string  `json:"token"`
	Logprob float64 `json:"logprob"`
	Bytes   []int   `json:"bytes"`
}

// logprobs returns how sure the words are.
func logprobs(words []messages.Word) []logprob {
	list := make([]logprob, len(words))
	for i, w := range words {
		token := w.Word
		if i == 0 {
			token = strings.TrimLeft(token, " ")
		}
		list[i] = logprob{Token: token, Logprob: math.Log(min(max(w.Confidence, 1e-4), 1)), Bytes: []int{}}
		for _, b := range []byte(token) {
			list[i].Bytes = append(list[i].Bytes, int(b))
		}
	}
	return list
}

// marked answers a commit or a clear.
func (c *encoder) marked(m messages.Marked, emit func([]byte)) {
	switch {
	case m.Refused:
	case m.Mark.Discard:
		if c.open != nil {
			c.open.dropped = true
			c.finish(c.open, emit)
			c.open = nil
		}
		c.emit(emit, "input_audio_buffer.cleared", map[string]any{})
	case c.open == nil && c.ended:
		c.ended = false // it was committed when it ended
	default:
		i := c.open
		if i == nil {
			i = c.add(m.Time)
		}
		c.open = nil
		c.committed(i, emit)
		c.finish(i, emit)
	}
}

// failure notes that an utterance has no transcript, or reports that the session has failed.
func (c *encoder) failure(subject string, number int64, m messages.Failure, emit func([]byte)) {
	if subject == "" {
		emit(errorEvent(c.events.next(), openai.Error{Type: "server_error", Message: m.Message}, ""))
		return
	}
	if i := c.itemOf(number); i != nil {
		i.failed = m.Message
	}
}

// emit writes an event.
func (c *encoder) emit(emit func([]byte), kind string, fields map[string]any) {
	fields["type"], fields["event_id"] = kind, c.events.next()
	emit(encode(fields))
}

func milliseconds(seconds float64) int { return int(math.Round(seconds * 1000)) }

// reasons are what is wrong where a connection is closed.
var reasons = map[dialect.Why]string{
	dialect.Protocol:     "protocol error",
	dialect.NotText:      "text must be UTF-8",
	dialect.Internal:     "internal error",
	dialect.Restart:      "the server restarts",
	dialect.Resume:       "connect again",
	dialect.Away:         "try again later",
	dialect.CutOff:       "try again later",
	dialect.Overload:     "too much is sent",
	dialect.Misuse:       "too many invalid events",
	dialect.Format:       "the audio is not what was declared",
	dialect.UnknownToken: "the session does not exist",
	dialect.Revoked:      "the API key was revoked",
	dialect.Replaced:     "replaced",
	dialect.Deleted:      "the session was deleted",
	dialect.TooBig:       "the event is too large",
	dialect.Refused:      "refused",
	dialect.Exhausted:    "the quota of the account is used up",
}

// End implements dialect.Encoder.
func (c *encoder) End(e dialect.Ending) (last []byte, code int, reason string) {
	code, reason = e.Code(), reasons[e.Why]
	if e.Detail != "" {
		reason = e.Detail
	}
	if e.Why != dialect.Finished && e.Why != dialect.Restart && e.Why != dialect.Resume {
		problem := messages.Problem{Status: e.Status, Message: reason}
		last = errorEvent(c.events.next(), openai.ErrorOf(&problem), "")
	}
	return last, code, messages.CloseReason(reason)
}
