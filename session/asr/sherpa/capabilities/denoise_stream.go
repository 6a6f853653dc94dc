package capabilities

import (
	"context"
	"math"
	"sync"

	"steno/session/asr"
)

// stream is an [asr.DenoiseStream].
type stream struct {
	ctx    context.Context
	owner  *Denoiser
	unbind func() bool // from ctx

	mu      sync.Mutex      // guards what follows
	library denoiserLibrary // nil once the stream has ended
	in, out int             // samples
}

// piece is how many samples the library gets in one call, so that the end of a context is noticed
// soon.
const piece = asr.Rate

// Write takes samples and returns those that are ready, some tens of milliseconds late.
func (s *stream) Write(samples []int16) ([]int16, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ready []int16
	for len(samples) > 0 {
		if err := s.alive(); err != nil {
			return nil, err
		}
		n := min(len(samples), piece)
		ready = append(ready, s.count(n, s.library.run(floats(samples[:n])))...)
		samples = samples[n:]
	}
	return ready, s.alive()
}

// Close returns the rest. In total as many samples come out as went in.
func (s *stream) Close() ([]int16, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.alive(); err != nil {
		return nil, err
	}
	rest := s.count(0, s.library.flush())
	rest = append(rest, make([]int16, s.in-s.out)...)
	s.end()
	return rest, nil
}

// alive ends the stream if its context has ended, and reports whether it is still open.
func (s *stream) alive() error {
	if err := s.ctx.Err(); err != nil {
		s.end()
		return err
	}
	if s.library == nil {
		return unavailable("the stream has ended")
	}
	return nil
}

// count counts n samples that went in, and returns those that came out: never more than went in.
func (s *stream) count(n int, out []float32) []int16 {
	s.in += n
	out = out[:min(len(out), s.in-s.out)]
	s.out += len(out)
	converted := make([]int16, len(out))
	for i, v := range out {
		converted[i] = int16(math.Round(min(max(float64(v)*32768, math.MinInt16), math.MaxInt16)))
	}
	return converted
}

// end returns the model, ready for another stream.
func (s *stream) end() {
	if s.library == nil {
		return
	}
	s.unbind()
	s.library.flush()
	s.owner.release(s, s.library)
	s.library = nil
}

// abandon ends the stream when its context ends or the denoiser is closed.
func (s *stream) abandon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end()
}
