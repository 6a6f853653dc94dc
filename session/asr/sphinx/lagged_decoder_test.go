//go:build linux && amd64

package sphinx

import (
	"reflect"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
	"steno/session/asr/sphinx/library"
)

// The library is left pointing just past the last sample, where the garbage collector must not find
// a pointer: that ends the process where no other object begins.
func TestFrontendLeavesNoPointerBehindTheSamples(t *testing.T) {
	r := start(t, small(Config{Slots: 1, Decoders: 1}))
	f := r.plain.decoders[0].decoder.(*laggedDecoder).frontend
	if err := f.start(); err != nil {
		t.Fatal(err)
	}
	samples := make([]int16, 53120) // the pages of so many have an end that is not used
	frames := 0
	if err := f.process(samples, func(cepstrum) {
		if frames++; len(samples)/frame-frames < 20 {
			runtime.GC()
		}
	}); err != nil {
		t.Fatal(err)
	}
	if want := (len(samples)-minSamples)/frame + 1; frames < want-1 || frames > want {
		t.Errorf("%d frames of %d samples, want %d", frames, len(samples), want)
	}
}

// Paths must agree in all they tell, whatever the decoder has decoded before: its first phones are
// those of all utterances.
func TestPathsLeaveNothingBehind(t *testing.T) {
	d := shared(t).plain.decoders[0].decoder
	// with pieces of a second a fault shows in few of them
	all := slices.Collect(slices.Chunk(librivox(t, "0870")[:7*asr.Rate/2], asr.Rate/2))
	var first [][]segment
	for _, samples := range all {
		first = append(first, pathOf(t, d, samples))
	}
	for i := len(all) - 1; i >= 0; i-- {
		if got := pathOf(t, d, all[i]); !reflect.DeepEqual(got, first[i]) {
			t.Errorf("piece %d: after others %+v, before %+v", i, got, first[i])
		}
	}
}

func pathOf(t *testing.T, d finalDecoder, samples []int16) []segment {
	t.Helper()
	try(t, d.Begin(), d.Add(samples), d.End())
	for more := true; more; {
		var err error
		if more, err = d.Step(); err != nil {
			t.Fatal(err)
		}
	}
	p, err := d.Path()
	try(t, err)
	return p
}

// The library keeps the frequency warping of a feature extractor in global variables while it makes
// one.
func TestFrontendsAreMadeOneAtATime(t *testing.T) {
	asked := false
	lib := &library.Library{
		Config: func(unsafe.Pointer) unsafe.Pointer { return nil },
		FEInit: func(unsafe.Pointer) unsafe.Pointer {
			if asked = true; library.Loading.TryLock() {
				library.Loading.Unlock()
				t.Error("another one may be made meanwhile")
			}
			return nil
		},
	}
	if _, err := newFrontend(&decoder{lib: lib}); err == nil || !asked {
		t.Errorf("%v of a library that makes none", err)
	}
}

// A decoder that never had a whole utterance in one call loses no frames.
func TestFreshDecoderLosesNoFrames(t *testing.T) {
	c := small(Config{Model: DefaultModel})
	samples := corpus.Debian(t, "goforward.raw")
	_ = shared(t) // skips the test where there is no library
	m, err := loadModels(c)
	try(t, err)
	d, err := m.final()
	try(t, err)
	defer d.Free()
	*library.Int32At(d.lib.Feat(d.ps), library.FeatCMN) = library.CMNNone
	path := pathOf(t, d, samples)
	if want := (len(samples)-minSamples)/frame + 1; len(path) == 0 || path[len(path)-1].end < want {
		t.Errorf("%d frames, the path is %+v", want, path)
	}
}
