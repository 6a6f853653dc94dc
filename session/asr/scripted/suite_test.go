package scripted_test

import (
	"reflect"
	"testing"

	"go.uber.org/goleak"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/scripted"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSuite(t *testing.T) {
	for name, c := range map[string]scripted.Config{"plain": {}, "with context": {Context: true}} {
		t.Run(name, func(t *testing.T) {
			c.Languages = []string{"en"}
			open := func(*testing.T) asr.Recognizer { return scripted.New(c) }
			asrtest.Run(t, open, asrtest.Ramp(2*asr.Rate, 1), asrtest.Ramp(5*asr.Rate, 77), asrtest.Ramp(700, 5))
		})
	}
}

// Words depend on the context where that is wanted, and their number and times do not.
func TestContext(t *testing.T) {
	audio, context := asrtest.Ramp(2*asr.Rate, 1), asrtest.Ramp(asr.Rate, 9)
	for _, wanted := range []bool{false, true} {
		r := scripted.New(scripted.Config{Context: wanted})
		plain, after := finalAfter(t, r, nil, audio), finalAfter(t, r, context, audio)
		if len(after.Words) != len(plain.Words) || after.Words[3].Start != plain.Words[3].Start {
			t.Errorf("%+v after a context, %+v without", after, plain)
		}
		if same := reflect.DeepEqual(after, plain); same == wanted {
			t.Errorf("context wanted %v: %+v after a context, %+v without", wanted, after, plain)
		}
		if got := asr.TakesContext(r, nil); got != wanted {
			t.Errorf("takes context: %v, want %v", got, wanted)
		}
	}
}
