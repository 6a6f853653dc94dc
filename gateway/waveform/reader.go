package waveform

import (
	"context"
	"fmt"
	"io"

	"steno/audio"
	"steno/gateway/records"
)

// cacheBytes bounds the peaks that are kept: those of 180 hours of one channel. What was deleted
// stays until it is displaced, but is not found any more, since its record is not.
const cacheBytes = 64 << 20

// reader has the peaks of one recording, as far as it was read. It belongs to one goroutine at a
// time.
type reader struct {
	peaks *audio.Peaks // nil: nothing was read
	read  int64        // bytes of a session's recording
}

// readMore reads what is new of a session's recording. Where ctx ends, what was read stays.
func (r *reader) readMore(ctx context.Context, recording *records.Recording) error {
	if r.peaks == nil {
		r.peaks = audio.NewPeaks(recording.Format())
	}
	if _, err := recording.Seek(r.read, io.SeekStart); err != nil {
		return fmt.Errorf("seek in recording: %w", err)
	}
	buffer := make([]byte, 256<<10)
	for ctx.Err() == nil {
		n, err := recording.Read(buffer)
		_, _ = r.peaks.Write(buffer[:n])
		r.read += int64(n)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read recording: %w", err)
		}
	}
	return ctx.Err()
}
