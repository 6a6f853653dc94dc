package loadtest

import (
	"context"
	"time"
)

// pace is the clock of a client: when which audio is due.
type pace struct {
	start  time.Time
	chunk  time.Duration
	track  *track
	step   int64         // bytes of a chunk
	jitter time.Duration // most that a chunk is sent later than it was recorded
	seed   uint64        // of the jitter
}

func newPace(t *track, chunk time.Duration, start time.Time) pace {
	return pace{start: start, chunk: chunk, track: t, step: max(t.bytes(chunk), int64(t.format.FrameBytes()))}
}

// recorded is how many bytes are due at the time now: whole chunks, and the rest of the track with
// the last one.
func (p pace) recorded(now time.Time) int64 {
	chunks := max(int64(now.Sub(p.start)/p.chunk), 0)
	for p.jitter > 0 && chunks > 0 && p.dueChunk(chunks).After(now) {
		chunks--
	}
	return min(chunks*p.step, p.track.length)
}

// due is when the audio before position pos (bytes) is to be sent: with the chunk that holds its
// last byte.
func (p pace) due(pos int64) time.Time {
	pos = min(max(pos, 0), p.track.length)
	return p.dueChunk((pos + p.step - 1) / p.step)
}

// dueChunk is when so many chunks are to be sent. A chunk that the jitter delays delays those after
// it.
func (p pace) dueChunk(chunks int64) time.Time {
	latest := time.Duration(chunks) * p.chunk
	if p.jitter > 0 {
		for i := max(chunks-int64(p.jitter/p.chunk), 1); i <= chunks; i++ {
			latest = max(latest, time.Duration(i)*p.chunk+p.holdUp(i))
		}
	}
	return p.start.Add(latest)
}

// holdUp is by how much a chunk is late, evenly distributed from 0 to the jitter: a hash of the
// seed and the chunk's number.
func (p pace) holdUp(chunk int64) time.Duration {
	z := p.seed + uint64(chunk)*0x9e3779b97f4a7c15 // SplitMix64
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return time.Duration((z ^ z>>31) % uint64(p.jitter+1))
}

// await returns how many bytes are due, when they are more than pos (bytes), or the cause for which
// ctx ended before. It reports whether it had to wait. timer is the caller's, to be used again.
func (p pace) await(ctx context.Context, pos int64, timer *time.Timer) (ready int64, waited bool, err error) {
	for {
		now := time.Now()
		if ready := p.recorded(now); ready > pos {
			return ready, waited, nil
		}
		waited = true
		timer.Reset(p.due(pos + 1).Sub(now))
		select {
		case <-timer.C:
		case <-ctx.Done():
			return 0, waited, context.Cause(ctx)
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
