package loadtest

import (
	"context"
	"time"
)

// pace is the clock of a client: when which audio is due.
type pace struct {
	start time.Time
	chunk time.Duration
	track *track
	step  int64 // bytes of a chunk
}

func newPace(t *track, chunk time.Duration, start time.Time) pace {
	return pace{start: start, chunk: chunk, track: t, step: max(t.bytes(chunk), int64(t.format.FrameBytes()))}
}

// recorded is how many bytes are due at the time now: whole chunks, and the rest of the track with the last one.
func (p pace) recorded(now time.Time) int64 {
	chunks := int64(now.Sub(p.start) / p.chunk)
	return min(max(chunks, 0)*p.step, p.track.length)
}

// due is when the audio before position pos (bytes) is complete: with the chunk that holds its last byte.
func (p pace) due(pos int64) time.Time {
	pos = min(max(pos, 0), p.track.length)
	chunks := (pos + p.step - 1) / p.step
	return p.start.Add(time.Duration(chunks) * p.chunk)
}

// await returns how many bytes are due, when they are more than pos (bytes), or the cause for which ctx ended before. timer is the
// caller's, to be used again.
func (p pace) await(ctx context.Context, pos int64, timer *time.Timer) (int64, error) {
	for {
		now := time.Now()
		if ready := p.recorded(now); ready > pos {
			return ready, nil
		}
		timer.Reset(p.due(pos + 1).Sub(now))
		select {
		case <-timer.C:
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
}

// dueAt is due for a time of the session in seconds.
func (p pace) dueAt(seconds float64) time.Time {
	frames := int64(seconds*float64(p.track.format.SampleRate) + 0.5)
	return p.due(frames * int64(p.track.format.FrameBytes()))
}

// end is when the last byte is due.
func (p pace) end() time.Time { return p.due(p.track.length) }
