package asrtest_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/scripted"
)

// flaws are ways to break the contract. Each must fail the suite; none must pass it.
var flaws = map[string]func(*flawed){
	"none":               func(*flawed) {},
	"state":              func(f *flawed) { f.state = true },
	"cutting":            func(f *flawed) { f.cutting = true },
	"keeps the slice":    func(f *flawed) { f.keep = true },
	"two finals":         func(f *flawed) { f.finals = 2 },
	"no final":           func(f *flawed) { f.final = func(r *asr.Result) { r.Final = false } },
	"unasked partials":   func(f *flawed) { f.partials = true },
	"fresh partials":     func(f *flawed) { f.newest = true },
	"word too late":      func(f *flawed) { f.word = func(w *asr.Word) { w.End += 1 << 20 } },
	"word backwards":     func(f *flawed) { f.word = func(w *asr.Word) { w.Start = w.End + 1 } },
	"word with space":    func(f *flawed) { f.word = func(w *asr.Word) { w.Text = " " + w.Text } },
	"confidence above 1": func(f *flawed) { f.word = func(w *asr.Word) { w.Confidence = 1.0001 } },
	"times unsaid":       func(f *flawed) { f.final = func(r *asr.Result) { r.Timed = false } },
	"no engine":          func(f *flawed) { f.final = func(r *asr.Result) { r.Engine = "" } },
	"any language":       func(f *flawed) { f.language = true },
	"any length":         func(f *flawed) { f.length = true },
	"cause":              func(f *flawed) { f.cause = true },
	"context's words":    func(f *flawed) { f.spill = true },
	"leak":               func(f *flawed) { f.leak = true },
}

// TestFlawed runs the suite on one flaw; TestFlawsAreFound has it run in processes of its own.
func TestFlawed(t *testing.T) {
	name := os.Getenv("ASRTEST_FLAW")
	if name == "" {
		t.Skip("run by TestFlawsAreFound")
	}
	open := func(t *testing.T) asr.Recognizer {
		f := &flawed{good: scripted.New(scripted.Config{Languages: []string{"en"}}), finals: 1}
		flaws[name](f)
		return f
	}
	audio := make([]int16, 4*asr.Rate)
	for i := range audio {
		audio[i] = int16(i * 7919)
	}
	asrtest.Run(t, open, audio, audio[asr.Rate:3*asr.Rate])
}

func TestFlawsAreFound(t *testing.T) {
	for name := range flaws {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFlawed$", "-test.short",
				"-test.failfast", "-test.timeout=30s")
			cmd.Env = append(os.Environ(), "ASRTEST_FLAW="+name)
			out, err := cmd.CombinedOutput()
			if passed := err == nil; passed != (name == "none") {
				t.Errorf("passed %v\n%s", passed, out)
			}
		})
	}
}

// flawed is a recognizer that does what scripted does, but for its flaw.
type flawed struct {
	good                                                                         *scripted.Recognizer
	state, cutting, keep, partials, newest, language, length, cause, leak, spill bool
	finals                                                                       int
	final                                                                        func(*asr.Result)
	word                                                                         func(*asr.Word)

	mu    sync.Mutex
	count int
}

func (f *flawed) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if f.language {
		p.Language = "en"
	}
	p.Partials = p.Partials || f.partials
	u, err := f.good.Open(ctx, p)
	if err != nil {
		return nil, err
	}
	if f.spill {
		if err := u.Write(p.Context); err != nil {
			return nil, err
		}
	}
	if f.leak {
		go func() { select {} }()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	return &flawedStream{Stream: u, f: f, ctx: ctx, number: f.count}, nil
}

type flawedStream struct {
	asr.Stream
	f      *flawed
	ctx    context.Context
	number int
	writes int
	total  int
	kept   [][]int16
	finals []asr.Result
}

func (u *flawedStream) Write(samples []int16) error {
	u.writes++
	u.total += len(samples)
	if u.f.keep {
		u.kept = append(u.kept, samples)
		return u.ctx.Err()
	}
	if u.f.length && u.total > asr.MaxSamples {
		return nil
	}
	return u.Stream.Write(samples)
}

func (u *flawedStream) End() error {
	var err error
	for _, samples := range u.kept {
		err = errors.Join(err, u.Stream.Write(samples))
	}
	return errors.Join(err, u.Stream.End())
}

func (u *flawedStream) Recv() (asr.Result, error) {
	if len(u.finals) > 0 {
		r := u.finals[0]
		u.finals = u.finals[1:]
		return r, nil
	}
	r, err := u.Stream.Recv()
	if err != nil {
		if u.f.cause && context.Cause(u.ctx) != nil {
			err = context.Cause(u.ctx)
		}
		return r, err
	}
	if !r.Final {
		if u.f.newest && len(r.Words) > 8 {
			r.Words = r.Words[len(r.Words)-1:]
		}
		return r, nil
	}
	u.spoil(&r)
	for range u.f.finals - 1 {
		u.finals = append(u.finals, r)
	}
	return r, nil
}

func (u *flawedStream) spoil(r *asr.Result) {
	r.Words = slices.Clone(r.Words)
	for i := range r.Words {
		if u.f.word != nil {
			u.f.word(&r.Words[i])
		}
		if u.f.state {
			r.Words[i].Confidence /= float64(u.number)
		}
		if u.f.cutting {
			r.Words[i].Confidence /= float64(u.writes)
		}
	}
	if u.f.final != nil {
		u.f.final(r)
	}
}
