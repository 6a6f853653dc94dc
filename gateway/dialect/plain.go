package dialect

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Plain reads a JSON object as most clients write it: of strings without escapes, and of objects of
// such strings. It calls visit with each string, its name, and the name of the object within which
// it stands, nil for the outer one, as parts of text, until visit returns false. It reports whether
// that was all of the text; what else a text may be is for encoding/json.
func Plain(text []byte, visit func(object, name, value []byte) bool) bool {
	s := scanner{rest: text}
	s.object(nil, visit)
	s.space()
	return !s.failed && len(s.rest) == 0
}

// scanner reads tokens of JSON. After the first that is not as expected it has failed.
type scanner struct {
	rest   []byte
	failed bool
}

// object reads an object. Within is its name, nil for the outer one.
func (s *scanner) object(within []byte, visit func(object, name, value []byte) bool) {
	s.byte('{')
	for !s.failed {
		name := s.word()
		s.byte(':')
		s.space()
		if within == nil && len(s.rest) > 0 && s.rest[0] == '{' {
			s.object(name, visit)
		} else if value := s.word(); !s.failed && !visit(within, name, value) {
			s.failed = true
		}
		if s.space(); len(s.rest) > 0 && s.rest[0] == '}' {
			s.rest = s.rest[1:]
			return
		}
		s.byte(',')
	}
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

// word reads a string without escapes. What JSON does not allow in one fails.
func (s *scanner) word() []byte {
	s.byte('"')
	end := bytes.IndexByte(s.rest, '"')
	if s.failed || end < 0 || bytes.IndexByte(s.rest[:end], '\\') >= 0 || hasControl(s.rest[:end]) {
		s.failed = true
		return nil
	}
	word := s.rest[:end]
	s.rest = s.rest[end+1:]
	return word
}

// hasControl reports whether text has a control character, of those below a space. It looks at
// eight at a time: of those below 0x20, and of no others, taking that away borrows from the highest
// bit, which they do not have themselves.
func hasControl(text []byte) bool {
	const each = 0x0101010101010101
	for ; len(text) >= 8; text = text[8:] {
		x := binary.LittleEndian.Uint64(text)
		if (x-0x20*each)&^x&(0x80*each) != 0 {
			return true
		}
	}
	return slices.ContainsFunc(text, func(c byte) bool { return c < ' ' })
}
