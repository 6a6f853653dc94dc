package twopass_test

import (
	"context"
	"testing"
	"testing/synctest"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/panics"
)

// A panic of either recognizer's fails the utterance, and nothing else.
func TestPanicsFailTheUtterance(t *testing.T) {
	for name, change := range map[string]func(partials, finals *fakeRecognizer){
		"partials open": func(p, _ *fakeRecognizer) { p.open = func(context.Context) error { panic("open") } },
		"partials write": func(p, _ *fakeRecognizer) {
			p.write = func(context.Context, int) error { panic("write") }
		},
		"partials receive": func(p, _ *fakeRecognizer) {
			p.recv = func(context.Context) (asr.Result, error) { panic("recv") }
		},
		"finals receive": func(_, f *fakeRecognizer) {
			f.recv = func(context.Context) (asr.Result, error) { panic("recv") }
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				partials, finals := &fakeRecognizer{Recognizer: english()}, &fakeRecognizer{Recognizer: english()}
				change(partials, finals)
				u := begin(t, join(t, partials, finals), asr.Params{Partials: true})
				_ = u.Write(asrtest.Ramp(asr.Rate, 1)) // it may have failed by then
				synctest.Wait()
				_ = u.End()
				var err error
				for err == nil {
					_, err = u.Recv() // partials may come first
				}
				if panics.In(err) == nil {
					t.Errorf("error is %v", err)
				}
			})
		})
	}
}
