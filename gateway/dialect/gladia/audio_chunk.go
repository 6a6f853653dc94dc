package gladia

import (
	"bytes"
	"encoding/base64"
	"slices"
)

// plainChunk finds the audio of an audio_chunk of the ordinary shape,
// {"type":"audio_chunk","data":{"chunk":"…"}} in either order, without escapes or further fields.
// Whatever else it may be, it is not for this reader: ok is false.
func plainChunk(text []byte) (chunk []byte, ok bool) {
	s := scanner{rest: text}
	typed, filled := false, false
	s.byte('{')
	for n := range 2 {
		if n > 0 {
			s.byte(',')
		}
		switch string(s.word()) {
		case "type":
			s.byte(':')
			typed = string(s.word()) == typeAudioChunk
		case "data":
			s.byte(':')
			s.byte('{')
			filled = string(s.word()) == "chunk"
			s.byte(':')
			chunk = s.word()
			s.byte('}')
		default:
			return nil, false
		}
	}
	s.byte('}')
	s.space()
	return chunk, !s.failed && typed && filled && len(s.rest) == 0
}

// scanner reads a few tokens of JSON; after the first that is not as expected it has failed for
// good.
type scanner struct {
	rest   []byte
	failed bool
}

func (s *scanner) space() {
	for len(s.rest) > 0 && (s.rest[0] == ' ' || s.rest[0] == '\n' || s.rest[0] == '\t' || s.rest[0] == '\r') {
		s.rest = s.rest[1:]
	}
}

func (s *scanner) byte(c byte) {
	s.space()
	if s.failed || len(s.rest) == 0 || s.rest[0] != c {
		s.failed = true
		return
	}
	s.rest = s.rest[1:]
}

// word is a string without escapes or line ends.
func (s *scanner) word() []byte {
	s.byte('"')
	end := bytes.IndexByte(s.rest, '"')
	if s.failed || end < 0 {
		s.failed = true
		return nil
	}
	word := s.rest[:end]
	if bytes.IndexByte(word, '\\') >= 0 || bytes.IndexByte(word, '\n') >= 0 || bytes.IndexByte(word, '\r') >= 0 {
		s.failed = true
		return nil
	}
	s.rest = s.rest[end+1:]
	return word
}

// decodeInPlace decodes base64, with its padding or without, in lines or not, over itself.
func decodeInPlace(text []byte) ([]byte, error) {
	src := text
	if bytes.ContainsAny(src, "\r\n") {
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
