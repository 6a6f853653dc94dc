//go:build linux && amd64

package sphinx

import (
	"testing"

	"steno/session/asr"
)

// followedBy recognizes samples that were cut off others by force.
func followedBy(t *testing.T, r *Recognizer, samples, after []int16) asr.Result {
	t.Helper()
	u, err := r.Open(t.Context(), asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Write(samples); err != nil {
		t.Error(err)
	}
	if err := asr.Follow(u, after); err != nil {
		t.Error(err)
	}
	if err := u.End(); err != nil {
		t.Error(err)
	}
	final, _ := outcome(t, u)
	return final
}

// A word that speech is cut in is heard whole by what follows, and nothing of the next word is
// among the utterance's. Without what follows most are taken for others.
func TestCutWordsAreHeardWhole(t *testing.T) {
	r, samples := shared(t), librivox(t, "0870")
	alone := 0
	for word, at := range map[string]int{"dash": 19880, "consider": 52840, "much": 68000} {
		before := samples[at-asr.Rate : at]
		cut, _ := recognize(t, r, asr.Params{}, before)
		whole := followedBy(t, r, before, samples[at:][:asr.MaxFollowing])
		if last(t, cut, len(before)) == word {
			alone++
		}
		if got := last(t, whole, len(before)); got != word {
			t.Errorf("%q was heard as %q", word, got)
		}
	}
	if alone > 1 {
		t.Errorf("%d of three words are heard where they are cut: that they are with what follows shows nothing", alone)
	}
}

// last returns the last word of a final, which must end within its samples.
func last(t *testing.T, final asr.Result, samples int) string {
	t.Helper()
	if len(final.Words) == 0 {
		return ""
	}
	w := final.Words[len(final.Words)-1]
	if w.End > samples {
		t.Errorf("%q ends at %d of %d", w.Text, w.End, samples)
	}
	return w.Text
}
