package sherpa

import (
	"errors"
	"reflect"
	"testing"

	"steno/session/asr"
	"steno/session/asr/schedule"
	"steno/session/asr/sherpa/internal/fakemodels"
)

// begin opens an utterance and writes samples to it.
func begin(t *testing.T, r asr.Recognizer, p asr.Params, samples []int16) asr.Stream {
	t.Helper()
	u, err := r.Open(t.Context(), p)
	if err == nil {
		err = u.Write(samples)
	}
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// block has a slot decode nothing until the function it returns is called.
func block(t *testing.T, r *Recognizer) (release func()) {
	begun, end := make(chan struct{}), make(chan struct{})
	q := r.slots.Add(schedule.Model{Name: "block", Decode: func([]*schedule.Work) { close(begun); <-end }})
	q.Put(&schedule.Work{})
	<-begun
	return func() { close(end); q.Close() }
}

// TestOverload ends an utterance of which nothing could be decoded while it was spoken.
func TestOverload(t *testing.T) {
	r := serve(t, Config{Slots: 1}, streamCTC)
	samples, _ := fakemodels.English().Speak("alpha", "bravo", "no", "hotel", "golf", "delta", "echo")
	_, want := decode(t, r, asr.Params{}, samples)
	shed := r.Figures().Models[0].Shed[ShedBehind]
	release := block(t, r)
	u := begin(t, r, asr.Params{Partials: true}, samples)
	if err := u.End(); err != nil {
		t.Fatal(err)
	}
	f := r.Figures().Models[0]
	if steps := f.Shed[ShedBehind] - shed; steps < len(samples)/asr.Rate*2 || f.Waiting[schedule.Final] != 1 {
		t.Errorf("%d steps left for the final of %d samples; %+v", steps, len(samples), f)
	}
	release()
	if got := finalOf(t, u); !reflect.DeepEqual(got, want) {
		t.Errorf("in overload %+v, want %+v", got, want)
	}
}

// TestPartialsGivenUp drops partials that would be too late, and expects the final all the same.
func TestPartialsGivenUp(t *testing.T) {
	r := serve(t, Config{Slots: 1}, streamCTC, wholeCTC)
	samples, _ := fakemodels.English().Speak("alpha", "bravo", "no", "hotel", "golf", "delta", "echo", "alpha",
		"bravo", "no", "hotel")
	_, want := decode(t, r, asr.Params{}, samples)
	release := block(t, r)
	u := begin(t, r, asr.Params{Partials: true}, nil)
	for n := 0; n < len(samples); n += 1600 {
		if err := u.Write(samples[n:min(n+1600, len(samples))]); err != nil {
			t.Fatal(err)
		}
	}
	soon(t, "given up", func() bool { return r.Figures().Models[0].Shed[ShedGivenUp] > 0 })
	if err := u.End(); err != nil {
		t.Fatal(err)
	}
	release()
	if got := finalOf(t, u); !reflect.DeepEqual(got, want) {
		t.Errorf("without partials %+v, want %+v", got, want)
	}
}

func TestUtterancesAreBounded(t *testing.T) {
	r := serve(t, Config{Utterances: 2}, wholeCTC)
	first, second := begin(t, r, asr.Params{}, nil), begin(t, r, asr.Params{}, nil)
	if _, err := r.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrBusy) {
		t.Errorf("a third: %v, want ErrBusy", err)
	}
	if f := r.Figures(); f.Open != 2 || f.Refused != 1 {
		t.Errorf("figures %+v", f)
	}
	if err := errors.Join(first.End(), second.End()); err != nil {
		t.Fatal(err)
	}
	finalOf(t, first)
	begin(t, r, asr.Params{}, nil)
}

func TestPace(t *testing.T) {
	p := pace{window: 7200, stride: 5120}
	for n, want := range map[int]int{
		0: 0, 1: 1 + (1+tail-7200+5119)/5120, 5120: 1 + (5120+tail-7200+5119)/5120, asr.MaxSamples: 1 +
			(asr.MaxSamples+tail-7200+5119)/5120,
	} {
		got := p.steps(n)
		if got != want || n > 0 && (p.due(got-1) < n+tail || got > 1 && p.due(got-2) >= n+tail) {
			t.Errorf("%d samples: %d steps, want %d", n, got, want)
		}
	}
	if got := (pace{window: 100000, stride: 5120}).steps(1); got != 1 {
		t.Errorf("one sample: %d steps", got)
	}
}

func TestRefusedConfig(t *testing.T) {
	for name, c := range map[string]Config{
		"folder": {}, "slots": {Dir: "x", Slots: 65}, "batch": {Dir: "x", Batch: -1}, "wait": {Dir: "x", BatchWait: -1},
		"threads": {Dir: "x", Threads: 65}, "utterances": {Dir: "x", Utterances: 5000}, "rescan": {Dir: "x", Rescan: 1},
	} {
		if _, err := New(t.Context(), c); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
