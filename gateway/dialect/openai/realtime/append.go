package realtime

import (
	"bytes"
	"errors"

	"steno/gateway/dialect"
	"steno/gateway/dialect/openai"
)

// plainAudio returns the audio, as base64, of a message that appends some, if it is written as all
// clients do: an object of strings without escapes. Others are left to encoding/json.
func plainAudio(text []byte) (audio []byte, ok bool) {
	appends, has := false, false
	ok = dialect.Plain(text, func(object, name, value []byte) bool {
		if object != nil {
			return false
		}
		switch string(name) {
		case "type":
			appends = string(value) == typeAppend
		case "audio":
			audio, has = value, true
		case "event_id":
		default:
			return false
		}
		return true
	})
	return audio, ok && appends && has
}

// after returns what follows a byte, before which white space may stand.
func after(text []byte, c byte) (rest []byte, ok bool) {
	text = bytes.TrimLeft(text, " \n\t\r")
	if len(text) == 0 || text[0] != c {
		return text, false
	}
	return text[1:], true
}

var errTooLong = errors.New("the message is longer than allowed without its audio")

// audioKey is what the audio of a message that appends some stands after.
var audioKey = []byte(`"audio"`)

// long is a message that is too long to be held, of which the audio is given on as it comes. It is
// what a message would be with an empty audio, but that audio before a fault was given on.
type long struct {
	parser *parser
	to     dialect.Input
	limit  int

	text  []byte // the message without audio
	audio dialect.Base64
	state state
	fault bool // of the base64
	given int  // bytes of audio
}

// state is where a long message is.
type state int

const (
	before state = iota // the audio has not begun
	within              // it
	behind
)

// Stream implements dialect.Parser.
func (p *parser) Stream(limit int, to dialect.Input) dialect.Stream {
	l := &long{parser: p, to: to, limit: limit}
	l.audio.Give = func(p []byte) {
		l.given += len(p)
		to.Audio(p)
	}
	return l
}

// Write implements dialect.Stream.
func (l *long) Write(p []byte) error {
	for len(p) > 0 {
		if l.state == within {
			p = l.decode(p)
			continue
		}
		l.text = append(l.text, p...)
		p = nil
		if l.state == before {
			p = l.find()
		}
		if len(l.text) > l.limit {
			return errTooLong
		}
	}
	return nil
}

// find looks for the beginning of the audio, from where on it returns what was kept.
func (l *long) find() []byte {
	for from := 0; ; {
		at := bytes.Index(l.text[from:], audioKey)
		if at < 0 {
			return nil
		}
		from += at + len(audioKey)
		rest, ok := after(l.text[from:], ':')
		if ok {
			rest, ok = after(rest, '"')
		}
		if ok {
			l.state = within
			begins := len(l.text) - len(rest)
			l.text = append(l.text[:begins:begins], '"')
			return rest
		}
	}
}

// decode hands audio on up to its end, and returns what follows. After a fault it looks for the end
// alone.
func (l *long) decode(p []byte) []byte {
	if !l.fault {
		rest, ended, err := l.audio.Decode(p)
		if l.fault = err != nil; !l.fault {
			if ended {
				l.state = behind
			}
			return rest
		}
	}
	end := bytes.IndexByte(p, '"')
	if end < 0 {
		return nil
	}
	l.state = behind
	return p[end+1:]
}

// Streamed implements dialect.Stream.
func (l *long) Streamed() bool { return l.state != before }

// End implements dialect.Stream.
func (l *long) End() {
	l.parser.heard += l.given
	if l.given > 0 {
		l.to.EndAudio()
	}
	e, err := parseEvent(l.text)
	switch {
	case l.state == before:
		l.parser.Text(l.text, l.to)
	case err != nil || l.state == within:
		l.parser.refuse(openai.Invalid("type", errNotJSON.Error()), "", l.to)
	case l.fault || e.Type != typeAppend:
		l.parser.refuse(openai.Invalid("audio", "must be base64, of "+typeAppend), e.ID, l.to)
	}
}
