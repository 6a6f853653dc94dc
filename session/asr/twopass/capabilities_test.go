package twopass_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"steno/session/asr"
	"steno/session/asr/twopass"
)

// capableRecognizer is a recognizer with every ability, or none that works where err is set.
type capableRecognizer struct {
	asr.Recognizer
	name   string
	models []asr.Model
	err    error
}

// plain hides the capabilities of a recognizer.
type plain struct{ asr.Recognizer }

func (a capableRecognizer) Models(context.Context) ([]asr.Model, error) {
	return slices.Clone(a.models), a.err
}
func (a capableRecognizer) Identify(context.Context, []int16, []string) (string, error) {
	return a.name, a.err
}
func (a capableRecognizer) Punctuate(_ context.Context, _, text string) (string, error) {
	return a.name + text, a.err
}
func (a capableRecognizer) Diarize(context.Context, []int16, asr.Speakers) ([]asr.Turn, error) {
	return []asr.Turn{{Speaker: len(a.name)}}, a.err
}
func (a capableRecognizer) Denoise(context.Context) (asr.DenoiseStream, error) { return nil, a.err }

func TestModelsAreTheFinalsSides(t *testing.T) {
	finals := capableRecognizer{models: []asr.Model{
		{Name: "both", Languages: []string{"de", "en"}, Detects: true},
		{Name: "french", Languages: []string{"fr"}, Partials: true},
		{Name: "dropPartials", Languages: []string{"es"}},
	}}
	follow := capableRecognizer{models: []asr.Model{
		{Name: "stream", Languages: []string{"en"}, Partials: true}, {Name: "slow", Languages: []string{"es"}},
	}}
	for name, c := range map[string]struct {
		partials asr.Recognizer
		want     []bool
	}{
		"listed":   {follow, []bool{true, false, false}},
		"unlisted": {plain{english()}, []bool{false, false, false}},
		"away":     {capableRecognizer{models: follow.models, err: errDown}, []bool{false, false, false}},
	} {
		models, err := twopass.New(c.partials, finals).Models(t.Context())
		if err != nil || len(models) != 3 || models[0].Name != "both" || !models[0].Detects {
			t.Fatalf("%s: %v, %v", name, models, err)
		}
		for i, m := range models {
			if m.Partials != c.want[i] {
				t.Errorf("%s: %q has partials: %v", name, m.Name, m.Partials)
			}
		}
	}
	for name, finals := range map[string]asr.Recognizer{"unlisted": plain{english()},
		"away": capableRecognizer{err: errDown}} {
		if models, err := twopass.New(follow, finals).Models(t.Context()); !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("finals %s: %v, %v", name, models, err)
		}
	}
}

func TestAbilitiesAreTheFinalsSidesOrElseTheOthers(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		partials, finals asr.Recognizer
		want             string
		err              error
	}{
		"both":          {capableRecognizer{name: "p"}, capableRecognizer{name: "f"}, "f", nil},
		"only partials": {capableRecognizer{name: "p"}, plain{english()}, "p", nil},
		"finals' away":  {capableRecognizer{name: "p"}, capableRecognizer{name: "f", err: errDown}, "p", nil},
		"finals' language": {capableRecognizer{name: "p"}, capableRecognizer{name: "f", err: asr.ErrLanguage}, "p",
			nil},
		"finals' failing": {capableRecognizer{name: "p"}, capableRecognizer{name: "f", err: broken}, "f", broken},
		"both refuse": {capableRecognizer{name: "p", err: errDown}, capableRecognizer{name: "f",
			err: asr.ErrLanguage}, "", asr.ErrLanguage},
		"neither is able":   {plain{english()}, plain{english()}, "", asr.ErrUnavailable},
		"partials' failing": {capableRecognizer{name: "p", err: broken}, plain{english()}, "p", broken},
	} {
		r := twopass.New(c.partials, c.finals)
		if got, err := r.Identify(t.Context(), nil, nil); !errors.Is(err, c.err) || err == nil && got != c.want {
			t.Errorf("%s: identified %q, %v", name, got, err)
		}
		if got, err := r.Punctuate(t.Context(), "en", "!"); !errors.Is(err, c.err) || err == nil && got != c.want+"!" {
			t.Errorf("%s: punctuated %q, %v", name, got, err)
		}
		if got, err := r.Diarize(t.Context(), nil, asr.Speakers{}); !errors.Is(err, c.err) || err == nil &&
			got[0].Speaker != 1 {
			t.Errorf("%s: diarized %v, %v", name, got, err)
		}
		if _, err := r.Denoise(t.Context()); !errors.Is(err, c.err) {
			t.Errorf("%s: denoise: %v", name, err)
		}
	}
}
