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

// atRest waits until no slot decodes: a final comes a moment before the slot that decoded it is idle.
func atRest(t *testing.T, r *Recognizer) {
	t.Helper()
	soon(t, "at rest", func() bool { return r.Figures().Models[0].Running == 0 })
}

// TestPause expects a final begun in a pause to need no other decode, and one begun in vain to be given up.
func TestPause(t *testing.T) {
	r := serve(t, Config{Slots: 2}, wholeCTC)
	samples, _ := fakemodels.English().Speak("alpha", "bravo", "no")
	_, want := decode(t, r, asr.Params{}, samples)

	atRest(t, r)
	before := r.Figures().Models[0]
	u := begin(t, r, asr.Params{}, samples)
	if err := u.Pause(); err != nil {
		t.Fatal(err)
	}
	soon(t, "decoded in the pause", func() bool { return r.Figures().Models[0].Calls == before.Calls+1 })
	if err := errors.Join(u.Pause(), u.Write(nil), u.End()); err != nil {
		t.Fatal(err)
	}
	if got := finalOf(t, u); !reflect.DeepEqual(got, want) {
		t.Errorf("after a pause %+v, want %+v", got, want)
	}
	if after := r.Figures().Models[0]; after.Calls != before.Calls+1 || after.Shed[ShedGuess] != 0 {
		t.Errorf("after a pause that was the end: %+v, before: %+v", after, before)
	}

	atRest(t, r)
	u = begin(t, r, asr.Params{}, samples[:asr.Rate])
	before = r.Figures().Models[0]
	if err := u.Pause(); err != nil {
		t.Fatal(err)
	}
	soon(t, "begun in the pause", func() bool { return r.Figures().Models[0].Calls == before.Calls+1 })
	if err := errors.Join(u.Write(samples[asr.Rate:]), u.End()); err != nil {
		t.Fatal(err)
	}
	if got := finalOf(t, u); !reflect.DeepEqual(got, want) {
		t.Errorf("after a pause that was none %+v, want %+v", got, want)
	}
	if n := r.Figures().Models[0].Shed[ShedGuess]; n != 1 {
		t.Errorf("%d finals given up, want 1", n)
	}

	release, again := block(t, r), block(t, r) // no slot is idle
	u = begin(t, r, asr.Params{}, samples[:asr.Rate])
	if err := errors.Join(u.Pause(), u.Write(samples[asr.Rate:]), u.Pause(), u.End()); err != nil {
		t.Fatal(err)
	}
	if f := r.Figures().Models[0]; f.Waiting[schedule.Final] != 1 || f.Waiting[schedule.Guess] != 0 || f.Shed[ShedGuess] != 1 {
		t.Errorf("after pauses in which nothing was begun: %+v", f)
	}
	release()
	again()
	if got := finalOf(t, u); !reflect.DeepEqual(got, want) {
		t.Errorf("after a pause without a slot %+v, want %+v", got, want)
	}
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
	samples, _ := fakemodels.English().Speak("alpha", "bravo", "no", "hotel", "golf", "delta", "echo", "alpha", "bravo", "no", "hotel")
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
		0: 0, 1: 1 + (1+tail-7200+5119)/5120, 5120: 1 + (5120+tail-7200+5119)/5120, asr.MaxSamples: 1 + (asr.MaxSamples+tail-7200+5119)/5120,
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
