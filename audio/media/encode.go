package media

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"steno/audio"
)

// Encoder makes FLAC of audio, in a subprocess bounded as decoding is. It belongs to one goroutine,
// which must close it.
type Encoder struct {
	process *subprocess
	in      *os.File      // what is to be encoded; nil once all was given
	copied  chan struct{} // closed when the subprocess writes no more
	kept    error         // why its output was not kept; read after copied

	left  time.Duration // that may still be waited for the subprocess
	cpu   time.Duration
	ended bool
	err   error // how it ended
}

// Encode begins to write FLAC to to: of so many frames of the format, which are given to Write.
// Samples of 8 and 16 bits are kept as they are, those of 24 as well; of 32 bits the lowest eight
// are lost. To is written to by another goroutine until Finish or Close returns, never more than a
// little above the size of the samples. Errors, also those of Write and Finish, are *Error, those
// of to, or of ctx, which must live as long as the Encoder is used.
func (d *Decoder) Encode(ctx context.Context, f audio.Format, frames int64, to io.Writer) (*Encoder, error) {
	in, out, err := os.Pipe()
	if err != nil {
		return nil, encodeFailed(err)
	}
	defer in.Close()
	p, err := d.startReading(ctx, in, nil, d.ffmpeg, encoderArgs(f)...)
	if err != nil {
		return nil, errors.Join(encodeFailed(err), out.Close())
	}
	e := &Encoder{process: p, in: out, copied: make(chan struct{}), left: d.limits.Wall, cpu: d.limits.CPU}
	limited := &flacWriter{to: to, frames: frames, left: mostFLAC(f, frames)}
	go func() {
		defer close(e.copied)
		if _, e.kept = io.Copy(limited, p.stdout); e.kept != nil {
			p.stop(e.kept)
		}
	}()
	return e, nil
}

func encodeFailed(err error) error {
	return &Error{Failed, "The recording could not be encoded.", err}
}

// flacLayouts are those that FLAC has for so many channels: with any other, ffmpeg would mix
// channels.
var flacLayouts = [...]string{"", "mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"}

func encoderArgs(f audio.Format) []string {
	return append(samplesInput(f), "-threads", "1", "-filter_threads", "1", "-c:a", "flac", "-fflags", "+bitexact",
		"-flags:a", "+bitexact",
		"-f", "flac", "pipe:1")
}

// samplesInput are ffmpeg's arguments for bare samples at its standard input.
func samplesInput(f audio.Format) []string {
	return []string{
		"-nostdin", "-hide_banner", "-v", "error", "-threads", "1", "-protocol_whitelist", "pipe",
		"-f", f.FFmpeg(), "-ar", strconv.Itoa(f.SampleRate), "-ch_layout", flacLayouts[f.Channels], "-i", "pipe:0",
	}
}

// mostFLAC is more than FLAC needs for any samples: those that cannot be made smaller stand in it
// as they are.
func mostFLAC(f audio.Format, frames int64) int64 {
	width := int64(max(2, min(f.BitDepth/8, 3)))
	plain := frames * width * int64(f.Channels)
	return plain + plain/64 + 64<<10
}

// Write encodes audio, cut anywhere.
func (e *Encoder) Write(p []byte) (int, error) {
	if e.in == nil {
		return 0, errClosed
	}
	n, err := e.timed(func() (int, error) { return e.in.Write(p) })
	if err != nil {
		return n, errors.Join(e.end(), encodeFailed(err))
	}
	return n, nil
}

// Finish encodes what is left. All was written where it returns nil.
func (e *Encoder) Finish() error {
	if e.ended {
		return e.err
	}
	_, err := e.timed(func() (int, error) { return 0, e.end() })
	return err
}

// timed calls wait, which waits for the subprocess, for at most the rest of the time that is
// allowed.
func (e *Encoder) timed(wait func() (int, error)) (int, error) {
	from := time.Now()
	timer := time.AfterFunc(e.left, func() { e.process.stop(errSlow) })
	defer timer.Stop()
	n, err := wait()
	e.left -= time.Since(from)
	return n, err
}

// end waits for the end of the subprocess, and tells how it was. Only the first call does anything.
func (e *Encoder) end() error {
	if e.ended {
		return e.err
	}
	e.ended = true
	_ = e.in.Close() // what it holds is in the pipe
	e.in = nil
	<-e.copied
	err := e.process.wait()
	switch starved := (*Error)(nil); {
	case e.kept != nil:
		e.err = e.kept
	case err == nil:
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		e.err = err
	default:
		if starved = e.process.starved(err, e.cpu); starved != nil {
			e.err = starved
			break
		}
		e.err = encodeFailed(err)
	}
	return e.err
}

// Close ends encoding, also before the end, and returns when nothing is written any more.
func (e *Encoder) Close() error {
	if !e.ended {
		e.process.stop(errClosed)
		_ = e.end()
	}
	return nil
}

const (
	streamInfo  = 42 // bytes of a FLAC file up to and with its first block
	samplesFrom = 18 // 8 bytes of it, of which the last 36 bits are the number of frames
)

// flacWriter passes a FLAC file on. Into its head it writes the number of frames, which ffmpeg
// cannot know there.
type flacWriter struct {
	to     io.Writer
	frames int64
	left   int64 // bytes that may be written
	head   []byte
	begun  bool
}

func (w *flacWriter) Write(p []byte) (int, error) {
	if w.left -= int64(len(p)); w.left < 0 {
		return 0, encodeFailed(errors.New("more than its samples can need"))
	}
	if w.begun {
		return w.to.Write(p)
	}
	w.head = append(w.head, p...)
	if len(w.head) < streamInfo {
		return len(p), nil
	}
	if string(w.head[:4]) != "fLaC" {
		return 0, encodeFailed(fmt.Errorf("begins with %q", w.head[:4]))
	}
	known := binary.BigEndian.Uint64(w.head[samplesFrom:]) &^ (1<<36 - 1)
	binary.BigEndian.PutUint64(w.head[samplesFrom:], known|uint64(w.frames)&(1<<36-1))
	if _, err := w.to.Write(w.head); err != nil {
		return 0, err
	}
	w.begun, w.head = true, nil
	return len(p), nil
}
