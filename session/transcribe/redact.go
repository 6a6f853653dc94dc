package transcribe

import (
	"context"
	"errors"
	"fmt"
	"io"

	"steno/audio"
	"steno/audio/media"
	"steno/session/addon/redact"
)

// Redact writes a copy of a recording that is silent in the spans, as FLAC: whatever the format of
// the original, the copy is not larger than its samples, and silence takes next to nothing. The
// source is decoded once more; it must return as many samples as it did for the transcript. To is
// written to by another goroutine until Redact returns.
func (t Transcript) Redact(ctx context.Context, source Source, encoder *media.Decoder, spans []redact.Span,
	to io.Writer) error {
	stream, err := source(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = stream.Close() }() // all was read, or there is another error
	f := stream.Format()
	flac, err := encoder.Encode(ctx, f, t.bytes/int64(f.FrameBytes()), to)
	if err != nil {
		return err
	}
	defer func() { _ = flac.Close() }() // it has finished, or there is another error
	written, err := copySilenced(flac, stream, f, spans)
	if err != nil {
		return err
	}
	if written != t.bytes {
		return fmt.Errorf("decoded %d bytes, and %d before", written, t.bytes)
	}
	return flac.Finish()
}

// pieceSize is how much of a recording is copied at a time, in bytes.
const pieceSize = 64 << 10

// copySilenced copies samples with silence in the spans. It returns the number of bytes.
func copySilenced(to io.Writer, from io.Reader, f audio.Format, spans []redact.Span) (written int64, err error) {
	buf := make([]byte, pieceSize/f.FrameBytes()*f.FrameBytes())
	for {
		n, readErr := io.ReadFull(from, buf)
		redact.Silence(buf[:n], written, spans, f)
		if _, err := to.Write(buf[:n]); err != nil {
			return written, err
		}
		written += int64(n)
		switch {
		case errors.Is(readErr, io.EOF) || errors.Is(readErr, io.ErrUnexpectedEOF):
			return written, nil
		case readErr != nil:
			return written, readErr
		}
	}
}
