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
// among the utterance's.
func TestCutWordsAreHeardWhole(t *testing.T) {
	r := shared(t)
	words, alone, followed := 0, 0, 0
	for _, number := range []string{"0870"} {
		samples := librivox(t, number)
		whole, _ := recognize(t, r, asr.Params{}, samples)
		for _, w := range whole.Words {
			at := w.Start + (w.End-w.Start)*3/4
			if w.End-w.Start < 30*frame || at < 2*asr.Rate || words == 4 {
				continue
			}
			words++
			before := samples[at-2*asr.Rate : at]
			cut, _ := recognize(t, r, asr.Params{}, before)
			more := followedBy(t, r, before, samples[at:min(len(samples), at+asr.MaxFollowing)])
			for final, right := range map[*asr.Result]*int{&cut: &alone, &more: &followed} {
				if n := len(final.Words); n > 0 && final.Words[n-1].Text == w.Text {
					*right++
				}
				if n := len(final.Words); n > 0 && final.Words[n-1].End > len(before) {
					t.Errorf("%q ends at %d of %d", final.Words[n-1].Text, final.Words[n-1].End, len(before))
				}
			}
		}
	}
	t.Logf("%d words: %d right where they are cut, %d with what follows", words, alone, followed)
	if words < 4 || 4*followed < 3*words || followed < alone+words/5 {
		t.Errorf("%d words: %d right where they are cut, %d with what follows", words, alone, followed)
	}
}
