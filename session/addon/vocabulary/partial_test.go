package vocabulary

import (
	"testing"

	"steno/messages"
)

// A partial has no confidences. What a vocabulary makes of it is not lost in the final that has the
// same words and is only somewhat surer of them than of any.
func TestWhatAPartialHadStaysInTheFinal(t *testing.T) {
	k := corrector(defaultIntensity, "eunuch", "improvisation", "Nuzhat", "whilome", "Zaman")
	heard := func(confidences ...float64) string {
		u := messages.Utterance{Language: "en"}
		for i, w := range []string{" and", " there", " will", " home"} {
			word := messages.Word{Word: w}
			if i < len(confidences) {
				word.Confidence = confidences[i]
			}
			u.Words = append(u.Words, word)
		}
		return k.Apply(u).Text
	}
	if got, want := heard(.48, .61, .82, .69), heard(); got != want || want != " and there whilome" {
		t.Errorf("final %q, partial %q", got, want)
	}
	if got := k.Apply(messages.Utterance{Language: "en", Words: []messages.Word{{Word: " will", Confidence: .95},
		{Word: " home", Confidence: .95}}}); len(got.Words) != 2 {
		t.Errorf("words that were clear became %q", got.Text)
	}
}
