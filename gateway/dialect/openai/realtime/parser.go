package realtime

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"steno/gateway/dialect"
	"steno/gateway/dialect/openai"
	"steno/gateway/web"
	"steno/messages"
)

// The types of what clients send.
const (
	typeUpdate = "session.update"
	typeOlder  = "transcription_session.update"
	typeAppend = "input_audio_buffer.append"
	typeCommit = "input_audio_buffer.commit"
	typeClear  = "input_audio_buffer.clear"
)

const (
	maxDepth  = 16  // of arrays and objects within each other
	maxID     = 200 // bytes of an event's id that is repeated to the client
	leastTime = 100 // ms that a client may commit at least
)

var errNotJSON = errors.New("the message must be a JSON object with a type")

// event is a message of a client.
type event struct {
	Type    string          `json:"type"`
	ID      string          `json:"event_id"`
	Audio   *string         `json:"audio"`
	Session json.RawMessage `json:"session"`
}

// updates reports whether the message has settings.
func (e *event) updates() bool { return e.Type == typeUpdate || e.Type == typeOlder }

// parseEvent reads a message.
func parseEvent(text []byte) (e event, err error) {
	if messages.NestedDeeper(text, maxDepth) || json.Unmarshal(text, &e) != nil || e.Type == "" {
		return event{}, errNotJSON
	}
	e.ID = e.ID[:min(len(e.ID), maxID)]
	return e, nil
}

// parser reads what a client sends.
type parser struct {
	*conversation
	heard int // bytes of audio since the last commit
}

// Text implements dialect.Parser.
func (p *parser) Text(text []byte, to dialect.Input) {
	if audio, ok := plainAudio(text); ok {
		p.audio(audio, "", to)
		return
	}
	e, err := parseEvent(text)
	switch {
	case err != nil:
		p.refuse(openai.Invalid("type", err.Error()), "", to)
	case e.Type == typeAppend && e.Audio == nil:
		p.refuse(openai.Invalid("audio", "must be a string of base64"), e.ID, to)
	case e.Type == typeAppend:
		p.audio([]byte(*e.Audio), e.ID, to)
	case e.updates():
		p.update(&e, to)
	case e.Type == typeCommit:
		p.commit(e.ID, to)
	case e.Type == typeClear:
		p.heard = 0
		to.Mark(messages.Mark{Discard: true})
	default:
		p.refuse(openai.Invalid("type", fmt.Sprintf("%q is not known: a transcription session takes %s, %s, %s and %s",
			web.Shorten(e.Type), typeUpdate, typeAppend, typeCommit, typeClear)), e.ID, to)
	}
}

// audio decodes audio in place and hands it on.
func (p *parser) audio(text []byte, id string, to dialect.Input) {
	audio, err := dialect.DecodeBase64(text)
	if err != nil {
		p.refuse(openai.Invalid("audio", "must be base64"), id, to)
		return
	}
	p.heard += len(audio)
	to.Audio(audio)
	to.EndAudio()
}

// update changes the settings and answers with all of them.
func (p *parser) update(e *event, to dialect.Input) {
	if err := p.settings.update(e.Session, false); err != nil {
		p.refuse(web.AsProblem(err), e.ID, to)
		return
	}
	to.Update(p.settings.changes())
	beta := e.Type == typeOlder
	kind := "session.updated"
	if beta {
		kind = "transcription_session.updated"
	}
	to.Answer(p.note(p.describe(kind, beta)))
}

// note returns an answer with what the encoder has to know of the settings before it.
func (p *parser) note(text []byte) []byte {
	return bytes.Join([][]byte{encode(p.settings.terms()), text}, []byte("\n"))
}

// commit ends the item. Where turns are detected there may be none.
func (p *parser) commit(id string, to dialect.Input) {
	if p.settings.turns == nil && p.heard < p.settings.format.bytes(leastTime) {
		p.refuse(openai.Fault(400, "", "input_audio_buffer_commit_empty", fmt.Sprintf(
			"the buffer has %d ms of audio; at least %d ms can be committed",
			p.heard/max(p.settings.format.bytes(1), 1), leastTime)), id, to)
		return
	}
	p.heard = 0
	to.Mark(messages.Mark{})
}

// refuse answers a message with an error.
func (p *parser) refuse(problem *messages.Problem, id string, to dialect.Input) {
	to.Answer(p.note(errorEvent(p.events.next(), openai.ErrorOf(problem), id)))
}

// errorEvent is the event of an error.
func errorEvent(id string, e openai.Error, about string) []byte {
	return encode(struct {
		Type  string `json:"type"`
		ID    string `json:"event_id"`
		Error any    `json:"error"`
	}{"error", id, struct {
		openai.Error
		About *string `json:"event_id"`
	}{e, orNull(about)}})
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// counter makes ids of events.
type counter struct {
	prefix string
	n      int
}

func (c *counter) next() string {
	if c.prefix == "" {
		c.prefix = "event_" + rand.Text()[:12]
	}
	c.n++
	return c.prefix + strconv.Itoa(c.n)
}

// encode writes JSON of values that can always be written.
func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return []byte("{}")
	}
	return text
}
