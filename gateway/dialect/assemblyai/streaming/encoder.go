package streaming

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"time"

	"steno/gateway/dialect"
	"steno/messages"
)

// encoder writes turns. A turn is an utterance, and those that continue it where it was cut at its
// longest duration.
type encoder struct {
	formatted bool // each turn ends twice, the second time formatted
	speakers  bool
	began     time.Time
	audio     float64 // seconds: of all of it, once it has ended

	order int    // of the turn under way
	next  int64  // number of the utterance that is to settle next
	text  string // of the turn's utterances that have settled
	words []word // likewise
	last  messages.Utterance
	ends  map[int64]messages.EndedBy // of utterances that have not settled
	begun map[int64]int64            // ms: where utterances began that follow the next one
	final bool                       // the next utterance has had its final
}

// newEncoder returns the encoder of a client with settings.
func newEncoder(s settings) *encoder {
	return &encoder{
		formatted: s.formatted, speakers: s.speakers, began: time.Now(),
		ends: map[int64]messages.EndedBy{}, begun: map[int64]int64{},
	}
}

// turn is a Turn. Clients fail if anything of it is missing, null, or of another type.
type turn struct {
	Type       string  `json:"type"`
	Order      int     `json:"turn_order"`
	Formatted  bool    `json:"turn_is_formatted"`
	Ended      bool    `json:"end_of_turn"`
	Transcript string  `json:"transcript"`
	Confidence float64 `json:"end_of_turn_confidence"`
	Words      []word  `json:"words"`
	Language   string  `json:"language_code,omitempty"`
	Known      float64 `json:"language_confidence,omitempty"`
	Speaker    string  `json:"speaker_label,omitempty"`
}

// word is a word of a turn. Its times are ms.
type word struct {
	Text       string  `json:"text"`
	Start      int64   `json:"start"`
	End        int64   `json:"end"`
	Confidence float64 `json:"confidence"`
	Final      bool    `json:"word_is_final"`
}

// Event implements dialect.Encoder.
func (c *encoder) Event(e *messages.Event, emit func(text []byte)) {
	switch m := e.Message.(type) {
	case messages.Speech:
		c.speech(m, emit)
	case messages.Transcript:
		c.transcript(e.Subject, m, emit)
	case messages.EndRecording:
		c.audio = m.Duration
		c.finish(emit)
	case nil:
		if e.Kind != messages.KindAnswer {
			return
		}
		if formatted, ok := bytes.CutPrefix(e.Body, []byte(formatAnswer)); ok {
			c.formatted = string(formatted) == "true"
		} else {
			emit(e.Body)
		}
	}
}

// speech follows the utterances.
func (c *encoder) speech(s messages.Speech, emit func(text []byte)) {
	switch s.Stage {
	case messages.SpeechBegan:
		if s.Cut {
			return
		}
		c.begun[s.Number] = milliseconds(s.Time)
		c.started(emit)
	case messages.SpeechEnded:
		c.ends[s.Number] = s.By
	case messages.SpeechSettled:
		if !c.final && c.ends[s.Number] != messages.EndedByForce {
			c.finish(emit)
		}
		delete(c.ends, s.Number)
		c.next, c.final = s.Number+1, false
		c.started(emit)
	}
}

// started sends where the next utterance has begun, if it has. That of one which begins before the
// one before it has settled waits: to clients the one's end would be the other's, too.
func (c *encoder) started(emit func(text []byte)) {
	at, begun := c.begun[c.next]
	if !begun {
		return
	}
	delete(c.begun, c.next)
	emit(dialect.JSON(struct {
		Type string `json:"type"`
		At   int64  `json:"timestamp"`
	}{"SpeechStarted", at}))
}

// transcript adds what an utterance has to the turn. What is known of one before the last one has
// settled is left out: a turn ends before the next one begins.
func (c *encoder) transcript(subject string, t messages.Transcript, emit func(text []byte)) {
	words := wordsOf(&t)
	if !t.IsFinal {
		if _, number, ok := messages.ParseUtteranceID(subject); ok && number == c.next {
			settled := messages.TextOf(t.Utterance.Words[:min(t.Settled, len(t.Utterance.Words))])
			c.emit(turn{Transcript: c.text + settled, Words: slices.Concat(c.words, words)}, emit)
		}
		return
	}
	c.final = true
	c.text, c.words, c.last = c.text+t.Utterance.Text, append(c.words, words...), t.Utterance
	if t.By != messages.EndedByForce || len(c.words) > maxWords {
		c.finish(emit)
		return
	}
	c.emit(turn{Transcript: c.text, Words: c.words}, emit)
}

// maxWords is how many words a turn may have before it ends at the next cut: each of its messages
// has all of them.
const maxWords = 1000

// finish ends the turn under way, if it has words.
func (c *encoder) finish(emit func(text []byte)) {
	if len(c.words) == 0 {
		return
	}
	t := turn{Ended: true, Transcript: c.text, Words: c.words, Confidence: 1, Language: c.last.Language}
	if t.Language != "" {
		t.Known = messages.UnknownConfidence
	}
	if c.speakers && c.last.Speaker != nil {
		t.Speaker = label(*c.last.Speaker)
	}
	c.emit(t, emit)
	if c.formatted {
		t.Formatted = true
		c.emit(t, emit)
	}
	c.order++
	c.text, c.words = "", nil
}

// label is the letter of a speaker, counted from 0: A to Z, then AA and so on.
func label(speaker int) (text string) {
	for speaker = max(0, speaker); speaker >= 0; speaker = speaker/26 - 1 {
		text = string(rune('A'+speaker%26)) + text
	}
	return text
}

// emit sends a turn under way.
func (c *encoder) emit(t turn, emit func(text []byte)) {
	t.Type, t.Order, t.Transcript = "Turn", c.order, strings.TrimSpace(t.Transcript)
	if t.Words == nil {
		t.Words = []word{}
	}
	emit(dialect.JSON(t))
}

// wordsOf returns the words of a transcript.
func wordsOf(t *messages.Transcript) []word {
	timed := t.Utterance.TimedWords()
	words := make([]word, len(timed))
	for i, w := range timed {
		words[i] = word{
			Text: strings.TrimSpace(w.Word), Start: milliseconds(w.Start), End: milliseconds(w.End),
			Confidence: w.Confidence, Final: t.IsFinal || i < t.Settled,
		}
	}
	return words
}

func milliseconds(seconds float64) int64 { return int64(math.Round(seconds * 1000)) }

// End implements dialect.Encoder.
func (c *encoder) End(e dialect.Ending) (last []byte, code int, reason string) {
	if e.Why == dialect.Finished {
		return dialect.JSON(struct {
			Type    string `json:"type"`
			Audio   int64  `json:"audio_duration_seconds"`
			Session int64  `json:"session_duration_seconds"`
		}{"Termination", int64(math.Round(c.audio)), int64(math.Round(time.Since(c.began).Seconds()))}), 1000, ""
	}
	code, reason = closeOf(e)
	return dialect.JSON(struct {
		Type  string `json:"type"`
		Code  int    `json:"error_code"`
		Error string `json:"error"`
	}{"Error", code, reason}), code, reason
}
