package session

import (
	"errors"
	"fmt"

	"steno/audio"
	"steno/messages"
)

// Format returns the declared format of a request's audio, which is that of the journal. It is zero
// for audio in a container: then the journal starts with a header that states the format.
func Format(r *messages.LiveRequest) (audio.Format, error) {
	if r.Container() {
		return audio.Format{}, nil
	}
	f := audio.Format{BitDepth: r.BitDepth, SampleRate: r.SampleRate, Channels: r.Channels}
	known := false
	if f.Encoding, known = audio.EncodingNamed(r.Encoding); !known {
		return f, fmt.Errorf("unknown encoding %q", r.Encoding)
	}
	return f, f.Validate()
}

// ErrFormat reports that the stream is not what was declared: its WAV header has another format, or
// it is no bare audio.
var ErrFormat = errors.New("wrong audio format")

// intake extracts the audio from the byte stream and cuts it into ticks of 10 ms of all channels.
// Nothing after it depends on how the bytes were cut.
type intake struct {
	format audio.Format // zero until the header is read, if none is declared
	learn  func(audio.Format) error

	unwrapper audio.Unwrapper
	judged    bool   // the beginning of the stream is known to be no container
	head      []byte // the first bytes, until judged
	heard     int64  // bytes of audio that were cut
	remainder []byte // an unfinished tick; most streams have none
	tick      func(raw []byte) error
	emit      func(p []byte) error // cut
}

// newIntake returns the intake for a stream from its beginning. tick is called for each whole tick
// of audio, and learn with the format if none is declared.
func newIntake(f audio.Format, tick func(raw []byte) error, learn func(audio.Format) error) *intake {
	in := &intake{format: f, unwrapper: audio.Unwrapper{Declared: f}, tick: tick, learn: learn}
	in.emit = in.cut
	return in
}

// feed takes bytes in stream order and calls tick for each whole tick; the slice given to tick is
// valid during the call only.
func (in *intake) feed(p []byte) error {
	if !in.judged {
		in.head = append(in.head, p...)
		name, need := audio.Container(in.head)
		switch {
		case name != "":
			return fmt.Errorf("%w: the bytes are %s, and the request declares %s", ErrFormat, name, describe(in.format))
		case need:
			return nil
		}
		p, in.head, in.judged = in.head, nil, true
	}
	return in.faulty(in.unwrapper.Feed(p, in.emit))
}

// gaps returns the parts of the stream so far that are no audio.
func (in *intake) gaps() *audio.Gaps { return &in.unwrapper.Gaps }

// faulty marks an error of the unwrapper as ErrFormat, unless it comes from tick or learn.
func (in *intake) faulty(err error) error {
	if _, ok := errors.AsType[tickError](err); ok || err == nil {
		return errors.Unwrap(err)
	}
	return fmt.Errorf("%w: %w", ErrFormat, err)
}

// tickError is an error of the tick function.
type tickError struct{ error }

func (e tickError) Unwrap() error { return e.error }

// cut cuts audio.
func (in *intake) cut(p []byte) error {
	in.heard += int64(len(p))
	if in.format.Channels == 0 {
		in.format, _ = in.unwrapper.Format()
		if err := in.learn(in.format); err != nil {
			return tickError{err}
		}
	}
	if err := in.ticks(p); err != nil {
		return tickError{err}
	}
	return nil
}

func (in *intake) ticks(p []byte) error {
	size := in.format.TickBytes()
	if len(in.remainder) > 0 {
		n := min(size-len(in.remainder), len(p))
		in.remainder = append(in.remainder, p[:n]...)
		p = p[n:]
		if len(in.remainder) < size {
			return nil
		}
		if err := in.tick(in.remainder); err != nil {
			return err
		}
		in.remainder = in.remainder[:0]
	}
	for len(p) >= size {
		if err := in.tick(p[:size]); err != nil {
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

// resume positions the intake after heard bytes of audio, preceded by a header of the given length.
// head is the beginning of the stream. It returns false if the stream must be fed from its
// beginning.
func (in *intake) resume(head []byte, header, heard int64) bool {
	u, ok := audio.Resume(in.format, head, header, heard)
	if ok {
		in.unwrapper, in.judged, in.heard = *u, true, heard
	}
	return ok
}

// flush ends the stream: first bytes that are no container are audio, and an unfinished tick is
// filled up with silence.
func (in *intake) flush() error {
	if !in.judged {
		first := in.head
		in.head, in.judged = nil, true
		if err := in.feed(first); err != nil {
			return err
		}
	}
	if err := in.faulty(in.unwrapper.Flush(in.emit)); err != nil {
		return err
	}
	if len(in.remainder) == 0 {
		return nil
	}
	last := silentTick(in.format)
	copy(last, in.remainder)
	in.remainder = in.remainder[:0]
	return in.tick(last)
}

// silentTick is one tick of digital silence in the declared format.
func silentTick(f audio.Format) []byte {
	raw := make([]byte, f.TickBytes())
	f.Silence(raw)
	return raw
}

func describe(f audio.Format) string {
	return fmt.Sprintf("%s, %d bit, %d Hz, %d channels", f.Encoding, f.BitDepth, f.SampleRate, f.Channels)
}
