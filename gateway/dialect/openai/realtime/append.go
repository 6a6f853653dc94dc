package realtime

import (
	"bytes"
	"encoding/base64"
	"errors"
	"slices"

	"steno/gateway/dialect"
	"steno/gateway/dialect/openai"
)

// plainAudio returns the audio, as base64, of a message that appends some, if it is written as all
// clients do: an object of strings without escapes. Others are left to encoding/json.
func plainAudio(text []byte) (audio []byte, ok bool) {
	rest, more := after(text, '{')
	appends, has := false, false
	for more {
		var name, value []byte
		if name, rest, more = word(rest); !more {
			return nil, false
		}
		if rest, more = after(rest, ':'); !more {
			return nil, false
		}
		if value, rest, more = word(rest); !more {
			return nil, false
		}
		switch string(name) {
		case "type":
			appends = string(value) == typeAppend
		case "audio":
			audio, has = value, true
		case "event_id":
		default:
			return nil, false
		}
		if rest, more = after(rest, ','); !more {
			rest, more = after(rest, '}')
			return audio, more && appends && has && len(bytes.TrimSpace(rest)) == 0
		}
	}
	return nil, false
}

// after returns what follows a byte, before which white space may stand.
func after(text []byte, c byte) (rest []byte, ok bool) {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\n' || text[0] == '\t' || text[0] == '\r') {
		text = text[1:]
	}
	if len(text) == 0 || text[0] != c {
		return text, false
	}
	return text[1:], true
}

// word returns a string without escapes or line ends, and what follows it.
func word(text []byte) (w, rest []byte, ok bool) {
	text, ok = after(text, '"')
	end := bytes.IndexByte(text, '"')
	if !ok || end < 0 || bytes.IndexByte(text[:end], '\\') >= 0 || bytes.IndexByte(text[:end], '\n') >= 0 {
		return nil, nil, false
	}
	return text[:end], text[end+1:], true
}

// decode decodes base64, with its padding or without, in lines or not, over itself.
func decode(text []byte) ([]byte, error) {
	src := text
	if bytes.IndexByte(src, '\r') >= 0 || bytes.IndexByte(src, '\n') >= 0 {
		src = slices.DeleteFunc(src, func(c byte) bool { return c == '\r' || c == '\n' })
	}
	for range 2 {
		src = bytes.TrimSuffix(src, []byte("="))
	}
	const quanta = 4096 // a multiple of four, so that blocks end between bytes
	var block [quanta / 4 * 3]byte
	done := 0
	for len(src) > 0 {
		part := src[:min(quanta, len(src))]
		n, err := base64.RawStdEncoding.Decode(block[:], part)
		if err != nil {
			return nil, err
		}
		done += copy(text[done:], block[:n])
		src = src[len(part):]
	}
	return text[:done], nil
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
	group []byte // of base64 that is not complete, at most three bytes
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
	return &long{parser: p, to: to, limit: limit}
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

// decode hands audio on up to its end, and returns what follows.
func (l *long) decode(p []byte) []byte {
	end := bytes.IndexByte(p, '"')
	part := p
	if end >= 0 {
		part, p = p[:end], p[end+1:]
		l.state = behind
	} else {
		p = nil
	}
	for len(part) > 0 && !l.fault {
		n := min(len(part), 32<<10)
		l.group = append(l.group, part[:n]...)
		l.group = slices.DeleteFunc(l.group, func(c byte) bool { return c == '\\' }) // of escaped slashes
		part = part[n:]
		l.hand(len(l.group) / 4 * 4)
	}
	if l.state == behind && !l.fault {
		l.hand(len(l.group))
	}
	return p
}

// hand decodes so many bytes of base64.
func (l *long) hand(n int) {
	held := l.group[n:]
	audio, err := decode(l.group[:n])
	if err != nil || l.given%3 != 0 && n > 0 && len(audio) > 0 { // padding within
		l.fault = true
		return
	}
	l.given += len(audio)
	if len(audio) > 0 {
		l.to.Audio(audio)
	}
	l.group = append(l.group[:0], held...)
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
