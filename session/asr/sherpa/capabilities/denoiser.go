package capabilities

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"steno/session/asr"
	"steno/session/asr/sherpa/folder"
)

// Denoiser is an [asr.Denoiser] with a denoising model. Each stream has a copy of the model, which
// is reused when the stream has ended.
type Denoiser struct {
	load func() (denoiserLibrary, error)

	mu      sync.Mutex // guards what follows
	closed  bool
	taken   int // models in use or being loaded
	idle    []denoiserLibrary
	streams map[*stream]bool
	calls   sync.WaitGroup // of Denoise
}

// denoiserLibrary is the model in the library, for one stream at a time.
type denoiserLibrary interface {
	// run takes samples and returns those that are ready.
	run(samples []float32) []float32
	// flush returns the rest, so that as many samples came out as went in, and prepares for another
	// stream.
	flush() []float32
	free()
}

var _ asr.Denoiser = (*Denoiser)(nil)

const (
	maxStreams = 64
	maxIdle    = 4
)

// NewDenoiser loads the model once, which shows whether it can be; each stream uses that many
// threads.
func NewDenoiser(m folder.Model, threads int) (*Denoiser, error) {
	if err := wants(m, folder.Denoiser); err != nil {
		return nil, err
	}
	if m.Rate != asr.Rate {
		return nil, loaded(m, fmt.Errorf("it takes %d Hz, and only %d can be given", m.Rate, asr.Rate))
	}
	load := func() (denoiserLibrary, error) {
		library, err := loadDenoiser(m, threads)
		return library, loaded(m, err)
	}
	library, err := load()
	if err != nil {
		return nil, err
	}
	return newDenoiser(load, library), nil
}

func newDenoiser(load func() (denoiserLibrary, error), idle ...denoiserLibrary) *Denoiser {
	return &Denoiser{load: load, idle: idle, streams: map[*stream]bool{}}
}

// Denoise implements [asr.Denoiser]. At most 64 streams can be open.
func (d *Denoiser) Denoise(ctx context.Context) (asr.DenoiseStream, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	library, err := d.take()
	if err != nil {
		return nil, err
	}
	defer d.calls.Done()
	if library == nil {
		if library, err = d.load(); err != nil {
			d.release(nil, nil)
			return nil, fmt.Errorf("%w: %w", asr.ErrUnavailable, err)
		}
	}
	return d.open(ctx, library)
}

// take counts a stream, and returns an idle model if there is one.
func (d *Denoiser) take() (denoiserLibrary, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.closed:
		return nil, unavailable("closed")
	case d.taken >= maxStreams:
		return nil, unavailable("busy")
	}
	d.taken++
	d.calls.Add(1)
	n := len(d.idle)
	if n == 0 {
		return nil, nil
	}
	library := d.idle[n-1]
	d.idle = d.idle[:n-1]
	return library, nil
}

// open starts a stream on a model.
func (d *Denoiser) open(ctx context.Context, library denoiserLibrary) (asr.DenoiseStream, error) {
	s := &stream{ctx: ctx, owner: d, library: library}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unbind = context.AfterFunc(ctx, s.abandon)
	d.mu.Lock()
	d.streams[s] = true
	closed := d.closed
	d.mu.Unlock()
	if closed {
		s.end()
		return nil, unavailable("closed")
	}
	return s, nil
}

// release takes a stream's model back.
func (d *Denoiser) release(s *stream, library denoiserLibrary) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.streams, s)
	d.taken--
	switch {
	case library == nil:
	case d.closed || len(d.idle) >= maxIdle:
		library.free()
	default:
		d.idle = append(d.idle, library)
	}
}

// Close ends all streams and frees the models.
func (d *Denoiser) Close() error {
	d.mu.Lock()
	d.closed = true
	idle := d.idle
	d.idle = nil
	open := slices.Collect(maps.Keys(d.streams))
	d.mu.Unlock()
	for _, library := range idle {
		library.free()
	}
	for _, s := range open {
		s.abandon()
	}
	d.calls.Wait()
	return nil
}
