package vosk

import (
	"strings"

	"steno/gateway/dialect"
	"steno/messages"
)

// encoder answers each message of audio once: with the next final that was not sent yet, else with
// what is being said.
type encoder struct {
	words   bool // finals have their words
	several bool // finals are lists of alternatives

	finals  []messages.Utterance // that were not sent
	next    int64                // number of the utterance that is to settle next
	partial string               // of the latest utterance that has one
	number  int64                // of that utterance
	asked   []byte               // what waits for an answer, in order; the first is a reset
	marked  int                  // resets whose utterances have all settled
	text    dialect.Writer
}

func newEncoder() *encoder { return &encoder{words: true} }

// Event implements dialect.Encoder.
func (c *encoder) Event(e *messages.Event, emit func(text []byte)) {
	c.text.Reset()
	switch m := e.Message.(type) {
	case messages.Transcript:
		c.transcript(e.Subject, &m)
	case messages.Speech:
		if m.Stage == messages.SpeechSettled {
			c.next = m.Number + 1
		}
	case messages.Marked:
		c.marked++
		c.answer(emit)
	case nil:
		if e.Kind == messages.KindAnswer {
			c.ask(e.Body, emit)
		}
	}
}

// transcript notes what was recognized.
func (c *encoder) transcript(subject string, t *messages.Transcript) {
	if t.IsFinal {
		c.finals = append(c.finals, t.Utterance)
		return
	}
	if _, number, ok := messages.ParseUtteranceID(subject); ok {
		c.number, c.partial = number, strings.TrimSpace(t.Utterance.Text)
	}
}

// ask notes what the parser has read.
func (c *encoder) ask(what []byte, emit func(text []byte)) {
	if what[0] == answerWords {
		c.words, c.several = what[1] == '1', what[2] == '1'
		return
	}
	c.asked = append(c.asked, what[0])
	c.answer(emit)
}

// answer answers what may be answered now: all up to a reset, and that once all that was said
// before it has its finals.
func (c *encoder) answer(emit func(text []byte)) {
	for len(c.asked) > 0 {
		if c.asked[0] == answerReset {
			if c.marked == 0 {
				return
			}
			c.marked--
			emit(c.rest())
		} else {
			emit(c.one())
		}
		c.asked = c.asked[1:]
	}
	c.asked = nil
}

// one is the answer to a message of audio.
func (c *encoder) one() []byte {
	if len(c.finals) > 0 {
		u := c.finals[0]
		c.finals = c.finals[1:]
		return c.final(u)
	}
	text := c.partial
	if c.number != c.next {
		text = ""
	}
	return c.text.Object(func() { c.text.String("partial", text) })
}

// rest is one final with all that was not sent yet.
func (c *encoder) rest() []byte {
	all := messages.Utterance{Text: messages.FullText(c.finals)}
	for _, u := range c.finals {
		all.Words = append(all.Words, u.TimedWords()...)
	}
	all.Confidence = messages.MeanConfidence(all.Words)
	c.finals = nil
	return c.final(all)
}

// word is a word of a final. Its times are seconds.
type word struct {
	Confidence float64 `json:"conf"`
	End        float64 `json:"end"`
	Start      float64 `json:"start"`
	Word       string  `json:"word"`
}

// alternative is what may have been said.
type alternative struct {
	Confidence float64 `json:"confidence"`
	Result     []word  `json:"result,omitempty"`
	Text       string  `json:"text"`
}

// final is the text of a final.
func (c *encoder) final(u messages.Utterance) []byte {
	var words []word
	if c.words {
		for _, w := range u.TimedWords() {
			words = append(words, word{w.Confidence, w.End, w.Start, strings.TrimSpace(w.Word)})
		}
	}
	text := strings.TrimSpace(u.Text)
	if c.several {
		return dialect.JSON(struct {
			Alternatives []alternative `json:"alternatives"`
		}{[]alternative{{u.Confidence, words, text}}})
	}
	return dialect.JSON(struct {
		Result []word `json:"result,omitempty"`
		Text   string `json:"text"`
	}{words, text})
}

// End implements dialect.Encoder.
func (c *encoder) End(e dialect.Ending) (last []byte, code int, reason string) {
	if e.Why == dialect.Finished {
		last = c.rest()
	}
	return last, e.Code(), messages.CloseReason(e.Detail)
}
