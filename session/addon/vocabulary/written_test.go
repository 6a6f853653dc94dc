package vocabulary

import (
	"testing"

	"steno/messages"
)

// In written text an entry takes the place of the word alone: marks, quotes and possessive endings
// around it stay, and so does the capital at the beginning of a sentence, where the entry has none
// of its own.
func TestWrittenText(t *testing.T) {
	var c messages.CustomVocabularyConfig
	for _, v := range []string{"Kubernetes", "GitHub", "Saurabh", "O'Brien", "McDonald's", "AWS", "kombucha", "iPhone",
		"Steno"} {
		c.Vocabulary = append(c.Vocabulary, messages.VocabularyEntry{Value: v})
	}
	k := New(c, "en")
	for _, c := range []struct{ text, want string }{
		{"Cooper Netties, \"Coopernetties\"; (Coopernetties)... Coopernetties?",
			"Kubernetes, \"Kubernetes\"; (Kubernetes)... Kubernetes?"},
		{"Get Hub's page, and get hub’s too.", "GitHub's page, and GitHub’s too."},
		{"Sorab's dog saw Sorab.", "Saurabh's dog saw Saurabh."},
		{"Mr. O'Brian's here, O'Brien's not.", "Mr. O'Brien's here, O'Brien's not."},
		{"Mc Donald's is open. So is Mcdonald's.", "McDonald's is open. So is McDonald's."},
		{"The A.W.S. bill, the a.w.s. bill and A.W.S.", "The AWS bill, the AWS bill and AWS."},
		{"We like A W S. Ann pays it.", "We like AWS. Ann pays it."},
		{"Combucha is good. Combucha! I like Combucha. Eye phone",
			"Kombucha is good. Kombucha! I like kombucha. iPhone"},
		{"It's here, that's it, he's at Steno's. What's new?", "It's here, that's it, he's at Steno's. What's new?"},
		{"The U.S. team paid $1,462.50 at 10:30 a.m.", "The U.S. team paid $1,462.50 at 10:30 a.m."},
	} {
		if got := k.Apply(said(c.text, .6)); got.Text != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got.Text, c.want)
		}
	}
}
