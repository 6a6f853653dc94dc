package onnx

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// Bounds of what is read from one file. Real models stay far below: the longest of their texts is
// the vocabulary of punctuation models, of some megabytes.
const (
	maxText   = 16 << 20 // bytes of all strings kept
	maxFields = 16 << 20 // fields
	maxValues = 1 << 16  // inputs, outputs, dimensions, entries: of each kind
	maxDepth  = 32       // of messages in messages
)

// scan walks over the fields of nested messages, seeking over the others.
type scan struct {
	source io.ReadSeeker
	buffer *bufio.Reader
	at     int64 // of the next byte
	text   int   // bytes of strings read so far
	fields int
	depth  int
}

func newScan(source io.ReadSeeker) *scan {
	return &scan{source: source, buffer: bufio.NewReaderSize(source, 4096)}
}

// field is one field of a message. The bytes of a field of bytes come next in the scan and may be
// left unread.
type field struct {
	number protowire.Number
	wire   protowire.Type
	value  uint64 // varint, fixed32, fixed64
	size   int64  // of bytes
}

var errNumber = errors.New("a number has no end: not a protobuf")

// message calls each for every field until the byte at end. name is the message's, for errors.
func (s *scan) message(name string, end int64, each func(field) error) error {
	if s.depth++; s.depth > maxDepth {
		return fmt.Errorf("messages are nested deeper than %d at byte %d", maxDepth, s.at)
	}
	defer func() { s.depth-- }()
	for s.at < end {
		start := s.at
		f, err := s.next(end)
		if err != nil {
			return fmt.Errorf("%s, at byte %d: %w", name, start, err)
		}
		stop := s.at + f.size
		if err := each(f); err != nil {
			return err
		}
		if err := s.skip(stop - s.at); err != nil {
			return fmt.Errorf("%s, at byte %d: %w", name, start, err)
		}
	}
	return nil
}

func (s *scan) next(end int64) (f field, err error) {
	if s.fields++; s.fields > maxFields {
		return f, fmt.Errorf("more than %d fields", maxFields)
	}
	tag, err := s.varint(end)
	if err != nil {
		return f, err
	}
	number, wire := protowire.DecodeTag(tag)
	if number < protowire.MinValidNumber || number > protowire.MaxValidNumber {
		return f, errors.New("no field has this number: not a protobuf")
	}
	f.number, f.wire = number, wire
	switch wire {
	case protowire.VarintType:
		f.value, err = s.varint(end)
	case protowire.Fixed32Type:
		f.value, err = s.fixed(end, 4)
	case protowire.Fixed64Type:
		f.value, err = s.fixed(end, 8)
	case protowire.BytesType:
		f.size, err = s.length(end)
	default:
		err = fmt.Errorf("a field of wire type %d: not a protobuf", wire)
	}
	return f, err
}

func (s *scan) varint(end int64) (uint64, error) {
	var v uint64
	for shift := 0; shift < 64; shift += 7 {
		b, err := s.byte(end)
		if err != nil {
			return 0, err
		}
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v, nil
		}
	}
	return 0, errNumber
}

func (s *scan) byte(end int64) (byte, error) {
	if s.at >= end {
		return 0, fmt.Errorf("truncated: %w", io.ErrUnexpectedEOF)
	}
	b, err := s.buffer.ReadByte()
	if err != nil {
		return 0, fmt.Errorf("truncated: %w", err)
	}
	s.at++
	return b, nil
}

func (s *scan) fixed(end int64, n int) (uint64, error) {
	var raw [8]byte
	for i := range n {
		b, err := s.byte(end)
		if err != nil {
			return 0, err
		}
		raw[i] = b
	}
	return binary.LittleEndian.Uint64(raw[:]), nil
}

func (s *scan) length(end int64) (int64, error) {
	n, err := s.varint(end)
	if err != nil {
		return 0, err
	}
	if n > uint64(end-s.at) {
		return 0, fmt.Errorf("truncated: a field of %d bytes, and %d are left", n, end-s.at)
	}
	return int64(n), nil
}

// skip passes over n bytes.
func (s *scan) skip(n int64) error {
	s.at += n
	if n <= int64(s.buffer.Buffered()) {
		_, err := s.buffer.Discard(int(n))
		return err
	}
	if _, err := s.source.Seek(s.at, io.SeekStart); err != nil {
		return err
	}
	s.buffer.Reset(s.source)
	return nil
}

// string reads the bytes of f.
func (s *scan) string(f field) (string, error) {
	if f.wire != protowire.BytesType {
		return "", fmt.Errorf("at byte %d: a number where a text belongs", s.at)
	}
	if s.text += int(min(f.size, maxText+1)); s.text > maxText {
		return "", fmt.Errorf("at byte %d: more than %d bytes of text", s.at, maxText)
	}
	raw := make([]byte, f.size)
	n, err := io.ReadFull(s.buffer, raw)
	s.at += int64(n)
	return string(raw), err
}

// inside walks over the message that f holds.
func (s *scan) inside(name string, f field, each func(field) error) error {
	if f.wire != protowire.BytesType {
		return fmt.Errorf("at byte %d: a number where the message %q belongs", s.at, name)
	}
	return s.message(name, s.at+f.size, each)
}
