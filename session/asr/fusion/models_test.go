package fusion

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"steno/session/asr"
	"steno/session/asr/scripted"
)

func TestModelsAreThoseOfAllMembers(t *testing.T) {
	of := func(languages ...string) asr.Recognizer {
		return scripted.New(scripted.Config{Languages: languages})
	}
	r, err := New(Member{Name: "a", Recognizer: of("en", "fr")}, Member{Name: "b", Recognizer: of("de", "en")})
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Models(t.Context())
	want := []asr.Model{{Name: "fusion(a+b)", Languages: []string{"de", "en", "fr"}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	r, err = New(Member{Name: "a", Recognizer: of("en")}, Member{Name: "b", Recognizer: unlistedRecognizer{of(),
		errors.ErrUnsupported}})
	if err != nil {
		t.Fatal(err)
	}
	want = []asr.Model{{Name: "fusion(a+b)", Languages: []string{"en"}}}
	if got, err := r.Models(t.Context()); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("with one that has no list: %+v, %v; want %+v", got, err, want)
	}
	r, err = New(Member{Name: "a", Recognizer: of("en")}, Member{Name: "b", Recognizer: unlistedRecognizer{of(),
		asr.ErrUnavailable}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.Models(t.Context()); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("with one away: %+v, %v; want ErrUnavailable", got, err)
	}
}

// unlistedRecognizer is a recognizer that cannot list its models.
type unlistedRecognizer struct {
	asr.Recognizer
	err error
}

func (l unlistedRecognizer) Models(context.Context) ([]asr.Model, error) { return nil, l.err }
