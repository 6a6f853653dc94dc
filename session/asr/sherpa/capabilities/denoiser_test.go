package capabilities

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"steno/session/asr"
)

// late is a library that returns samples one call late, and extra samples too many.
type late struct {
	held  []float32
	extra int
	freed *int
}

func (l *late) run(samples []float32) []float32 {
	out := l.held
	l.held = slices.Clone(samples)
	return out
}

func (l *late) flush() []float32 {
	out := append(l.held, make([]float32, l.extra)...)
	l.held = nil
	return out
}

func (l *late) free() { *l.freed++ }

func TestAsManySamplesComeOutAsWentIn(t *testing.T) {
	for _, extra := range []int{0, 7} {
		var freed int
		d := newDenoiser(func() (denoiserLibrary, error) { return &late{extra: extra, freed: &freed}, nil })
		for range 2 { // the second stream is on the model of the first
			in := []int16{1, -1, 32767, -32768, 5}
			if out := denoiseAll(t, d, in); !slices.Equal(out, in) {
				t.Errorf("%d too many: got %v", extra, out)
			}
		}
		if len(d.idle) != 1 || d.taken != 0 {
			t.Errorf("%d idle models, %d streams", len(d.idle), d.taken)
		}
		if err := d.Close(); err != nil || freed != 1 {
			t.Errorf("%v, %d models freed", err, freed)
		}
	}
}

func denoiseAll(t *testing.T, d *Denoiser, in []int16) []int16 {
	t.Helper()
	s, err := d.Denoise(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []int16
	for _, v := range in {
		ready, err := s.Write([]int16{v})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, ready...)
	}
	rest, err := s.Close()
	if err != nil {
		t.Fatal(err)
	}
	return append(out, rest...)
}

// dropping is a library that loses samples.
type dropping struct{ late }

func (d *dropping) flush() []float32 { return nil }

func TestLostSamplesAreSilence(t *testing.T) {
	var freed int
	d := newDenoiser(func() (denoiserLibrary, error) { return &dropping{late{freed: &freed}}, nil })
	defer d.Close()
	if out := denoiseAll(t, d, []int16{3, 4, 5}); !slices.Equal(out, []int16{3, 4, 0}) {
		t.Errorf("got %v", out)
	}
}

func TestModelThatDoesNotLoad(t *testing.T) {
	d := newDenoiser(func() (denoiserLibrary, error) { return nil, errRefused })
	for range maxStreams + 1 {
		if _, err := d.Denoise(t.Context()); !errors.Is(err, asr.ErrUnavailable) || !errors.Is(err, errRefused) {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

func TestContextsGiveStreamsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var freed int
		d := newDenoiser(func() (denoiserLibrary, error) { return &late{freed: &freed}, nil })
		ctx, cancel := context.WithCancel(context.Background())
		for range maxStreams {
			if _, err := d.Denoise(ctx); err != nil {
				t.Fatal(err)
			}
		}
		cancel()
		synctest.Wait()
		if d.taken != 0 || len(d.streams) != 0 || len(d.idle) != maxIdle || freed != maxStreams-maxIdle {
			t.Errorf("%d streams of %d models, %d idle, %d freed", len(d.streams), d.taken, len(d.idle), freed)
		}
		if err := d.Close(); err != nil || freed != maxStreams {
			t.Errorf("%v, %d freed", err, freed)
		}
	})
}

func TestCloseWaitsForModelsThatLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var freed int
		hold, opened, closed := make(chan struct{}), make(chan error, 1), make(chan error, 1)
		d := newDenoiser(func() (denoiserLibrary, error) {
			<-hold
			return &late{freed: &freed}, nil
		})
		go func() {
			_, err := d.Denoise(context.Background())
			opened <- err
		}()
		synctest.Wait()
		go func() { closed <- d.Close() }()
		synctest.Wait()
		if len(closed) > 0 {
			t.Error("closed while a model was being loaded")
		}
		close(hold)
		if err := <-opened; !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("a stream of a closed denoiser: %v", err)
		}
		if err := <-closed; err != nil || freed != 1 {
			t.Errorf("%v, %d freed", err, freed)
		}
	})
}
