package gladia

import (
	"bytes"
	"encoding/json"
	"errors"

	"steno/gateway/dialect"
)

// Faults of a message that is read as a stream, in words for the client.
var (
	// ErrTextTooBig reports a message larger than its limit even without its audio. Nothing can
	// follow it.
	ErrTextTooBig = errors.New("message is larger than allowed")
	errTwice      = errors.New("message must have its type, its data and their chunk only once")
)

// Stream reads a text message of a client in pieces, for messages too long to be buffered: audio in
// data.chunk is decoded as it comes and given on, and only the rest of the message is kept. Once
// the type is known to be audio_chunk that is done from the first byte of the chunk. Where the type
// comes after its data, the chunk is kept up to the limit, and taken for audio from there on: no
// other message has one.
//
// What is given on before a fault is found has been given on. Otherwise a message means what
// [Parse] makes of it, with one exception: a message that repeats its chunk after that was given on
// is a fault.
type Stream struct {
	limit int
	chunk dialect.Base64
	text  []byte // the message but for the audio given on
	fault error

	depth    int
	inside   [3]level // of depths 1 and 2
	quoted   bool     // within a string
	slash    bool     // the byte before was a backslash that counts
	start    int      // of that string, in text
	audio    bool     // the type is known to be audio_chunk
	typed    bool     // the type is known
	buffered bool     // that string is data.chunk, and kept

	streaming bool // within data.chunk, which is given on
	streamed  bool // it has been
	twice     bool
}

// level is an array or object that has not ended.
type level struct {
	object bool
	key    bool   // a string here would be a key
	name   string // the key whose value this is: one of the three that count, or empty
}

// The keys that count.
const (
	keyType  = "type"
	keyData  = "data"
	keyChunk = "chunk"
)

// NewStream returns a reader that keeps at most limit bytes, but for a few, and passes audio to the
// function, which must not keep it.
func NewStream(limit int, audio func(p []byte)) *Stream {
	return &Stream{limit: limit, chunk: dialect.Base64{Give: audio}}
}

// Kept is the number of bytes buffered.
func (s *Stream) Kept() int { return len(s.text) }

// Streamed reports whether audio was given on.
func (s *Stream) Streamed() bool { return s.streamed }

// Write takes the next piece. Its only error is ErrTextTooBig; other faults are returned by End.
func (s *Stream) Write(p []byte) error {
	for len(p) > 0 && s.fault == nil {
		if s.streaming {
			p = s.stream(p)
			continue
		}
		s.step(p[0])
		p = p[1:]
		if len(s.text) <= s.limit {
			continue
		}
		if !s.buffered || s.typed || s.streamed {
			s.fault = ErrTextTooBig
			return ErrTextTooBig
		}
		s.begin()
	}
	return nil
}

// End is called when the message is complete. Where audio was given on the message has none of its
// own.
func (s *Stream) End() (Message, error) {
	switch {
	case s.fault != nil:
		return Message{}, s.fault
	case s.streaming:
		return Message{}, ErrNotJSON
	case !s.streamed:
		return Parse(s.text)
	}
	m, err := parseGeneral(s.text)
	if err == nil && (s.twice || m.Kind != KindKeepAlive) { // the chunk that is left of it is empty
		err = errTwice
	}
	if err != nil {
		return Message{}, err
	}
	if s.chunk.Filled() {
		m.Kind = KindAudio
	}
	return m, nil
}

// step takes one byte of what is kept.
func (s *Stream) step(c byte) {
	s.text = append(s.text, c)
	switch {
	case s.slash:
		s.slash = false
	case s.quoted && c == '\\':
		s.slash = true
	case s.quoted && c == '"':
		s.endString()
	case s.quoted:
	case c == '"':
		s.beginString()
	case c == '{' || c == '[':
		s.depth++
		if l := s.level(); l != nil {
			*l = level{object: c == '{', key: c == '{'}
		}
	case c == '}' || c == ']':
		s.depth--
	case c == ',':
		if l := s.level(); l != nil {
			l.key, l.name = l.object, ""
		}
	case c == ':':
		if l := s.level(); l != nil {
			l.key = false
		}
	}
}

// level is the innermost array or object, if it is one of those that count.
func (s *Stream) level() *level {
	if s.depth < 1 || s.depth > 2 {
		return nil
	}
	return &s.inside[s.depth]
}

func (s *Stream) beginString() {
	s.quoted, s.start = true, len(s.text)
	l := s.level()
	if s.depth != 2 || l.key || !l.object || l.name != keyChunk || !s.inside[1].object || s.inside[1].name != keyData {
		return
	}
	s.buffered = true
	switch {
	case s.streamed:
		s.twice = true
	case s.audio:
		s.begin()
	}
}

func (s *Stream) endString() {
	s.quoted, s.buffered = false, false
	l := s.level()
	switch {
	case l == nil:
	case l.key:
		l.name = keyOf(s.text[s.start-1:])
	case s.depth == 1 && l.name == keyType:
		var value string
		s.typed = json.Unmarshal(s.text[s.start-1:], &value) == nil
		s.audio = s.typed && value == typeAudioChunk
	}
}

// keyOf is the key that a string in quotes is, if it is one of those that count. Case does not, as
// in encoding/json.
func keyOf(quoted []byte) string {
	const longest = len(`"`) + 6*len(keyChunk) + len(`"`) // with every letter escaped
	var name string
	if len(quoted) > longest || json.Unmarshal(quoted, &name) != nil {
		return ""
	}
	for _, key := range []string{keyType, keyData, keyChunk} {
		if bytes.EqualFold([]byte(name), []byte(key)) {
			return key
		}
	}
	return ""
}

// begin hands on what is kept of the chunk, and from now on what comes of it.
func (s *Stream) begin() {
	kept := bytes.Clone(s.text[s.start:])
	s.text = s.text[:s.start]
	s.streaming, s.streamed, s.slash = true, true, false
	s.stream(kept)
}

// stream takes bytes of the chunk and returns those after its end.
func (s *Stream) stream(p []byte) (rest []byte) {
	rest, ended, err := s.chunk.Decode(p)
	if err != nil {
		s.fault = faultOf(err)
		return nil
	}
	if ended {
		s.streaming = false
		s.text = append(s.text, '"')
		s.endString()
	}
	return rest
}

// faultOf returns the fault of a message whose chunk cannot be decoded.
func faultOf(err error) error {
	if errors.Is(err, dialect.ErrNotString) {
		return ErrNotJSON
	}
	return ErrNotBase64
}
