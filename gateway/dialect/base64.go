package dialect

import (
	"bytes"
	"encoding/base64"
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Faults of base64 within JSON.
var (
	ErrNotBase64 = errors.New("text is not base64")
	ErrNotString = errors.New("text is not the rest of a string of JSON")
)

// DecodeBase64 decodes base64, with its padding or without, in lines or not, over itself.
func DecodeBase64(text []byte) ([]byte, error) {
	src := text
	if bytes.IndexByte(src, '\r') >= 0 || bytes.IndexByte(src, '\n') >= 0 {
		src = slices.DeleteFunc(src, func(c byte) bool { return c == '\r' || c == '\n' })
	}
	for range 2 {
		src = bytes.TrimSuffix(src, []byte("="))
	}
	n, err := base64.RawStdEncoding.Decode(text, src) // which writes nothing that it has not read
	if err != nil {
		return nil, ErrNotBase64
	}
	return text[:n], nil
}

// base64Room is how many characters of base64 are decoded at a time: a multiple of four.
const base64Room = 32 << 10

// Base64 decodes the base64 of a JSON string as it comes, from after its opening quote: with
// padding or without, in lines or not, as [DecodeBase64] does.
type Base64 struct {
	Give func(p []byte) // is passed what was decoded, valid during the call

	chars  []byte // not decoded yet
	audio  []byte // buffer
	escape []byte // of an escape that is not complete
	pads   int
	filled bool // anything came before its end
}

// Decode decodes bytes, hands on what they hold, and returns what follows the end of the string.
func (d *Base64) Decode(p []byte) (rest []byte, ended bool, err error) {
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
func (d *Base64) plain(p []byte) error {
	for _, c := range p {
		if c < ' ' {
			return ErrNotString
		}
		if err := d.char(c); err != nil {
			return err
		}
	}
	return nil
}

// unescape takes an escape once it is complete.
func (d *Base64) unescape() error {
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
			return ErrNotString
		}
		if code < utf8.RuneSelf {
			char = byte(code)
		}
	default:
		return ErrNotString
	}
	d.escape = d.escape[:0]
	return d.char(char)
}

// char takes one character of base64.
func (d *Base64) char(c byte) error {
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
		d.chars = make([]byte, 0, base64Room)
	}
	if d.chars = append(d.chars, c); len(d.chars) == cap(d.chars) {
		return d.flush()
	}
	return nil
}

// flush decodes and hands on what came.
func (d *Base64) flush() error {
	if d.audio == nil {
		d.audio = make([]byte, base64.RawStdEncoding.DecodedLen(base64Room))
	}
	n, err := base64.RawStdEncoding.Decode(d.audio, d.chars)
	if err != nil {
		return ErrNotBase64
	}
	d.chars = d.chars[:0]
	if n > 0 {
		d.Give(d.audio[:n])
	}
	return nil
}

// Filled reports whether anything came before the end of the string.
func (d *Base64) Filled() bool { return d.filled }
