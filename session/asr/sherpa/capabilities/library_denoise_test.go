//go:build linux && cgo && (amd64 || arm64 || arm)

package capabilities

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"steno/session/asr"
)

// denoise writes samples in chunks of the given size.
func denoise(t *testing.T, d *Denoiser, samples []int16, chunk int) []int16 {
	t.Helper()
	s, err := d.Denoise(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []int16
	for part := range slices.Chunk(samples, chunk) {
		ready, err := s.Write(part)
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

func TestDenoiseTakesNoiseOut(t *testing.T) {
	d, err := NewDenoiser(gtcrn(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	speech, noise := tone(low, 2*asr.Rate+123), tone(high, 2*asr.Rate+123)
	mixed := make([]int16, len(speech))
	for i := range mixed {
		mixed[i] = speech[i] + noise[i]
	}
	var first []int16
	for _, chunk := range []int{320, 1, 17000, len(mixed)} {
		out := denoise(t, d, mixed[:], chunk)
		if len(out) != len(mixed) {
			t.Fatalf("chunks of %d: %d samples came out of %d", chunk, len(out), len(mixed))
		}
		if first == nil {
			first = out
		}
		if !slices.Equal(out, first) {
			t.Errorf("chunks of %d give other audio", chunk)
		}
	}
	if before, after := ratio(speech, mixed), ratio(speech, first); after < before+20 {
		t.Errorf("the signal is %.1f dB above the noise, and was %.1f", after, before)
	}
}

// ratio is by how many decibels a signal is above what differs from it.
func ratio(signal, other []int16) float64 {
	var power, error float64
	for i, v := range signal {
		e := float64(other[i]) - float64(v)
		power += float64(v) * float64(v)
		error += e * e
	}
	return 10 * math.Log10(power/error)
}

func TestDenoiseEveryLength(t *testing.T) {
	d, err := NewDenoiser(gtcrn(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 255, 256, 257, 511, 512, 513, 767, 768, 769, 1000, random.IntN(9000)} {
		if out := denoise(t, d, tone(low, n), 100); len(out) != n {
			t.Errorf("%d samples came out of %d", len(out), n)
		}
	}
}

func TestDenoiserBounds(t *testing.T) {
	d, err := NewDenoiser(gtcrn(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	streams := make([]asr.DenoiseStream, maxStreams)
	for i := range streams {
		if streams[i], err = d.Denoise(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Denoise(ctx); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("one stream too many: %v", err)
	}
	if _, err := streams[0].Close(); err != nil {
		t.Error(err)
	}
	if _, err := streams[0].Write(silence(1)); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("write after Close: %v", err)
	}
	other, err := d.Denoise(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := streams[1].Write(silence(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("write after the context ended: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if _, err := other.Write(silence(1)); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("write after the denoiser closed: %v", err)
	}
	if _, err := d.Denoise(t.Context()); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("a stream of a closed denoiser: %v", err)
	}
}
