package gladia

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"unicode/utf8"
)

// chunkRoom is how many characters of base64 are decoded at a time: a multiple of four.
const chunkRoom = 32 << 10

// chunkDecoder decodes the base64 of a JSON string as it comes, from after its opening quote: with
// padding or without, in lines or not, as decodeInPlace does.
type chunkDecoder struct {
	give   func(p []byte)
	chars  []byte // not decoded yet
	audio  []byte // buffer
	escape []byte // of an escape that is not complete
	pads   int
	filled bool // anything came before its end
}

// decode decodes bytes, hands on what they hold, and returns what follows the end of the string.
func (d *chunkDecoder) decode(p []byte) (rest []byte, ended bool, err error) {
	for len(p) > 0 && err == nil {
		switch c := p[0]; {
		case len(d.escape) > 0:
			d.escape = append(d.escape, c)
			p, err = p[1:], d.unescape()
		case c == '"':
			return p[1:], true, d.flush()
		case c == '\\':
			d.filled, d.escape = true, append(d.escape, c)
			p = p[1:]
		default:
			n := bytes.IndexAny(p, "\"\\")
			if n < 0 {
				n = len(p)
			}
			d.filled, err = true, d.plain(p[:n])
			p = p[n:]
		}
	}
	return nil, false, err
}

// plain takes characters as they stand in the text.
func (d *chunkDecoder) plain(p []byte) error {
	for _, c := range p {
		if c < ' ' {
			return ErrNotJSON
		}
		if err := d.char(c); err != nil {
			return err
		}
	}
	return nil
}

// unescape takes an escape once it is complete.
func (d *chunkDecoder) unescape() error {
	if d.escape[1] == 'u' && len(d.escape) < len(`\u0000`) {
		return nil
	}
	char := byte(0)
	switch c := d.escape[1]; c {
	case '"', '\\', '/':
		char = c
	case 'n', 'r':
		char = '\n'
	case 'b', 'f', 't':
	case 'u':
		code, err := strconv.ParseUint(string(d.escape[2:]), 16, 16)
		if err != nil {
			return ErrNotJSON
		}
		if code < utf8.RuneSelf {
			char = byte(code)
		}
	default:
		return ErrNotJSON
	}
	d.escape = d.escape[:0]
	return d.char(char)
}

// char takes one character of base64.
func (d *chunkDecoder) char(c byte) error {
	switch {
	case c == '\n' || c == '\r':
		return nil
	case c == '=':
		if d.pads++; d.pads > 2 {
			return ErrNotBase64
		}
		return nil
	case d.pads > 0:
		return ErrNotBase64
	}
	if d.chars == nil {
		d.chars = make([]byte, 0, chunkRoom)
	}
	if d.chars = append(d.chars, c); len(d.chars) == cap(d.chars) {
		return d.flush()
	}
	return nil
}

// flush decodes and hands on what came.
func (d *chunkDecoder) flush() error {
	if d.audio == nil {
		d.audio = make([]byte, base64.RawStdEncoding.DecodedLen(chunkRoom))
	}
	n, err := base64.RawStdEncoding.Decode(d.audio, d.chars)
	if err != nil {
		return ErrNotBase64
	}
	d.chars = d.chars[:0]
	if n > 0 {
		d.give(d.audio[:n])
	}
	return nil
}
