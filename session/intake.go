package session

import (
	"errors"
	"fmt"

	"steno/audio"
	"steno/messages"
)

// Format is the declared format of a request's audio.
func Format(r *messages.LiveRequest) (audio.Format, error) {
	f := audio.Format{BitDepth: r.BitDepth, SampleRate: r.SampleRate, Channels: r.Channels}
	for _, e := range []audio.Encoding{audio.PCM, audio.ALaw, audio.MuLaw} {
		if e.String() == r.Encoding {
			f.Encoding = e
			return f, f.Validate()
		}
	}
	return f, fmt.Errorf("unknown encoding %q", r.Encoding)
}

// ErrFormat says that the stream began with a RIFF header of another format than the one declared.
var ErrFormat = errors.New("the RIFF header does not fit the declared format")

// intake cuts the byte stream into ticks of 10 ms of all channels. Nothing else depends on how the bytes were cut.
type intake struct {
	format audio.Format

	headerKnown bool
	header      int    // bytes of a leading RIFF header
	head        []byte // the first bytes, until it is known whether they are a header
	remainder   []byte // an unfinished tick; most streams have none
}

func newIntake(f audio.Format) *intake {
	return &intake{format: f}
}

// feed takes bytes in stream order and calls tick for each whole tick; the slice given to tick is valid during the
// call only.
func (in *intake) feed(p []byte, tick func(raw []byte) error) error {
	if !in.headerKnown {
		rest, err := in.skipHeader(p)
		if err != nil || !in.headerKnown {
			return err
		}
		p = rest
	}
	size := in.format.TickBytes()
	if len(in.remainder) > 0 {
		n := min(size-len(in.remainder), len(p))
		in.remainder = append(in.remainder, p[:n]...)
		p = p[n:]
		if len(in.remainder) < size {
			return nil
		}
		if err := tick(in.remainder); err != nil {
			return err
		}
		in.remainder = in.remainder[:0]
	}
	for len(p) >= size {
		if err := tick(p[:size]); err != nil {
			return err
		}
		p = p[size:]
	}
	if len(p) > 0 && in.remainder == nil {
		in.remainder = make([]byte, 0, size)
	}
	in.remainder = append(in.remainder, p...)
	return nil
}

// skipHeader returns the audio after a leading RIFF header, nil while it is not known whether there is one.
func (in *intake) skipHeader(p []byte) ([]byte, error) {
	in.head = append(in.head, p...)
	n, format, need, err := audio.ParseHeader(in.head)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	case need:
		return nil, nil
	case n > 0 && format != in.format:
		return nil, fmt.Errorf("%w: it says %s, the request %s", ErrFormat, describe(format), describe(in.format))
	}
	rest := in.head[n:]
	in.head, in.header, in.headerKnown = nil, n, true
	return rest, nil
}

// restoreHeader sets the intake behind the header of a stream that begins with the bytes. As many as a header may have suffice, and
// fewer only where there are no more: then what is not a whole header is audio.
func (in *intake) restoreHeader(head []byte) error {
	_, err := in.skipHeader(head)
	in.head, in.headerKnown = nil, true
	return err
}

// flush ends the stream: first bytes that never became a header are audio, and an unfinished tick is filled up with
// silence.
func (in *intake) flush(tick func(raw []byte) error) error {
	if !in.headerKnown {
		first := in.head
		in.head, in.headerKnown = nil, true
		if err := in.feed(first, tick); err != nil {
			return err
		}
	}
	if len(in.remainder) == 0 {
		return nil
	}
	// Bytes of an unfinished sample are dropped: to fill them up would make a sample that was not recorded.
	whole := len(in.remainder) - len(in.remainder)%in.format.FrameBytes()
	last := silentTick(in.format)
	copy(last, in.remainder[:whole])
	in.remainder = in.remainder[:0]
	if whole == 0 {
		return nil
	}
	return tick(last)
}

// silentTick is one tick of digital silence in the declared format.
func silentTick(f audio.Format) []byte {
	raw := make([]byte, f.TickBytes())
	var zero byte
	switch {
	case f.Encoding == audio.ALaw:
		zero = 0xD5
	case f.Encoding == audio.MuLaw:
		zero = 0xFF
	case f.BitDepth == 8:
		zero = 0x80
	}
	for i := range raw {
		raw[i] = zero
	}
	return raw
}

func describe(f audio.Format) string {
	return fmt.Sprintf("%s, %d bit, %d Hz, %d channels", f.Encoding, f.BitDepth, f.SampleRate, f.Channels)
}
