package flux

import (
	"encoding/json"
	"strings"

	"steno/gateway/dialect"
	"steno/gateway/dialect/deepgram"
	"steno/messages"
)

// encoder writes turns. A turn is an utterance, or several where one was cut by force. What comes
// of an utterance before the one before it is settled is kept.
type encoder struct {
	id         string // of the session
	sequence   int
	stopped    bool                 // the client has sent CloseStream
	utterances map[int64]*utterance // by number
	turn       turn
	sure       float64 // what confidence ended turns have
	early      float64
	text       dialect.Writer
}

// utterance is what came of one, and was not sent.
type utterance struct {
	partial *messages.Transcript // the newest; nil: none that was not sent
	final   *messages.Transcript
	early   bool
	to      float64
	by      messages.EndedBy
	settled bool
}

// turn is what was sent of the turn under way.
type turn struct {
	index    int
	begun    bool
	early    bool // EagerEndOfTurn was sent, and not taken back
	from, to float64
	before   []messages.Word // of utterances before the one under way
	words    []messages.Word // of that, as sent last
	text     string          // of these words
	language string
}

func newEncoder(t turns) *encoder {
	return &encoder{utterances: map[int64]*utterance{}, sure: t.sure, early: t.early}
}

// greet begins the conversation: clients wait for it.
func (c *encoder) greet(made *dialect.Created) [][]byte {
	if made == nil {
		return nil
	}
	c.id = made.ID
	return [][]byte{dialect.JSON(deepgram.Object{"type": "Connected", "request_id": c.id, "sequence_id": 0})}
}

// Event implements [dialect.Encoder].
func (c *encoder) Event(e *messages.Event, emit func([]byte)) {
	c.text.Reset()
	switch m := e.Message.(type) {
	case messages.Speech:
		c.speech(m, emit)
	case messages.Transcript:
		if _, number, ok := messages.ParseUtteranceID(e.Subject); ok {
			u := c.of(number)
			if u.to = m.To; m.IsFinal {
				u.final = &m
			} else {
				u.partial = &m
			}
			c.catchUp(emit)
		}
	case messages.EndRecording:
		if c.turn.begun { // its end was cut by force
			c.end(emit)
		}
	case messages.StopAck:
		c.stopped = true
	case messages.AudioAck:
		if !c.stopped { // what comes too late is left out
			c.send(emit, deepgram.Object{
				"type": "Warning", "code": "UNPARSABLE_CLIENT_MESSAGE", "description": m.Refused,
			})
		}
	case nil:
		if e.Kind == messages.KindAnswer {
			c.answer(e.Body, emit)
		}
	}
}

// answer sends what the parser answers, and takes the thresholds that hold from there on.
func (c *encoder) answer(body []byte, emit func([]byte)) {
	var o deepgram.Object
	var m struct {
		Thresholds thresholds `json:"thresholds"`
	}
	if json.Unmarshal(body, &o) != nil || json.Unmarshal(body, &m) != nil {
		return
	}
	if m.Thresholds.Sure != nil {
		c.sure = *m.Thresholds.Sure
	}
	if m.Thresholds.Early != nil {
		c.early = *m.Thresholds.Early
	}
	c.send(emit, o)
}

// of returns an utterance by its number.
func (c *encoder) of(number int64) *utterance {
	u := c.utterances[number]
	if u == nil {
		u = &utterance{}
		c.utterances[number] = u
	}
	return u
}

func (c *encoder) speech(m messages.Speech, emit func([]byte)) {
	u := c.of(m.Number)
	u.to = m.Time
	switch m.Stage {
	case messages.SpeechEarly:
		u.early = true
	case messages.SpeechResumed:
		u.early = false
		if c.turn.early && c.first() == u {
			c.resume(emit)
		}
	case messages.SpeechEnded:
		u.by = m.By
	case messages.SpeechSettled:
		u.settled = true
	}
	c.catchUp(emit)
}

// first returns the utterance that is not settled and was spoken before all others; nil: none.
func (c *encoder) first() *utterance {
	var least int64 = -1
	for number := range c.utterances {
		if least < 0 || number < least {
			least = number
		}
	}
	return c.utterances[least]
}

// catchUp sends what is due of the first utterance, and of those after it once it is settled.
func (c *encoder) catchUp(emit func([]byte)) {
	for {
		u := c.first()
		if u == nil {
			return
		}
		c.show(u, emit)
		if !u.settled {
			return
		}
		for number, other := range c.utterances {
			if other == u {
				delete(c.utterances, number)
			}
		}
	}
}

// show sends what came of an utterance.
func (c *encoder) show(u *utterance, emit func([]byte)) {
	if u.partial != nil && u.final == nil && len(u.partial.Utterance.Words) > 0 {
		c.grow(u.partial, emit)
	}
	u.partial = nil
	if u.early && !c.turn.early && u.final == nil && len(c.turn.words) > 0 {
		c.turn.early, c.turn.to = true, max(c.turn.to, u.to)
		c.info("EagerEndOfTurn", c.early, emit)
	}
	if u.settled {
		c.settle(u, emit)
	}
}

// grow sends that the turn has begun, or has other words.
func (c *encoder) grow(m *messages.Transcript, emit func([]byte)) {
	t := &c.turn
	text := messages.TextOf(m.Utterance.Words)
	if t.begun && same(t.text, text) {
		return
	}
	if t.early {
		c.resume(emit)
	}
	event := "Update"
	if !t.begun {
		event, t.begun, t.from = "StartOfTurn", true, m.From
	}
	t.words, t.text = m.Utterance.Words, text
	t.to, t.language = max(m.To, m.Utterance.End), m.Utterance.Language
	c.info(event, 0, emit)
}

// same reports whether two texts are, but for white space around them.
func same(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }

// resume sends that the turn continues after its early end.
func (c *encoder) resume(emit func([]byte)) {
	c.turn.early = false
	c.info("TurnResumed", 0, emit)
}

// settle takes the final of an utterance, and ends the turn unless speech was cut by force. Without
// a final the words that were sent last stand.
func (c *encoder) settle(u *utterance, emit func([]byte)) {
	t := &c.turn
	if u.final != nil && len(u.final.Utterance.Words) > 0 {
		text := messages.TextOf(u.final.Utterance.Words)
		if !t.begun || t.early && !same(t.text, text) {
			c.grow(u.final, emit)
		}
		t.words, t.language = u.final.Utterance.Words, u.final.Utterance.Language
		t.to = max(u.final.To, u.final.Utterance.End)
	}
	t.before, t.words, t.text = append(t.before, t.words...), nil, ""
	if u.by == messages.EndedByForce {
		return
	}
	if t.begun {
		c.end(emit)
	} else {
		*t = turn{index: t.index}
	}
}

// end ends the turn.
func (c *encoder) end(emit func([]byte)) {
	c.info("EndOfTurn", c.sure, emit)
	c.turn = turn{index: c.turn.index + 1}
}

// writeWords writes words as clients read them.
func writeWords(w *dialect.Writer, words []messages.Word) {
	for _, word := range words {
		w.Member("", func() {
			w.String("word", strings.TrimSpace(word.Word))
			w.Float("confidence", word.Confidence)
			w.Float("start", word.Start)
			w.Float("end", word.End)
		})
	}
}

// info sends the turn as it is.
func (c *encoder) info(event string, sure float64, emit func([]byte)) {
	t, w := &c.turn, &c.text
	c.sequence++
	emit(w.Object(func() {
		w.String("type", "TurnInfo")
		w.String("request_id", c.id)
		w.Int("sequence_id", c.sequence)
		w.String("event", event)
		w.Int("turn_index", t.index)
		w.Float("audio_window_start", t.from)
		w.Float("audio_window_end", max(t.to, t.from))
		w.String("transcript", strings.TrimSpace(messages.TextOf(t.before)+t.text))
		w.List("words", func() {
			writeWords(w, t.before)
			writeWords(w, t.words)
		})
		w.Float("end_of_turn_confidence", sure)
		if t.language != "" {
			w.List("languages", func() { w.String("", t.language) })
		}
	}))
}

// send sends a message with its number.
func (c *encoder) send(emit func([]byte), o deepgram.Object) {
	c.sequence++
	o["request_id"], o["sequence_id"] = c.id, c.sequence
	emit(dialect.JSON(o))
}

// End implements [dialect.Encoder].
func (c *encoder) End(e dialect.Ending) (last []byte, code int, reason string) {
	if e.Why == dialect.Finished {
		return nil, 1000, ""
	}
	code, reason = deepgram.Closing(e)
	c.send(func(text []byte) { last = text }, deepgram.Object{
		"type": "Error", "code": "INTERNAL_SERVER_ERROR", "description": reason,
	})
	return last, code, reason
}
