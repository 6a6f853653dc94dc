package vocabulary

import (
	"fmt"
	"strings"
	"testing"

	"steno/messages"
)

// said makes an utterance of a text, a second a word, all of one confidence.
func said(text string, confidence float64) messages.Utterance {
	u := messages.Utterance{Language: "en", Text: text}
	for i, w := range strings.SplitAfter(text, " ") {
		w = strings.TrimSuffix(w, " ")
		if i > 0 {
			w = " " + w
		}
		u.Words = append(u.Words, messages.Word{Word: w, Start: float64(i), End: float64(i) + 0.9,
			Confidence: confidence})
	}
	return u
}

var vocabulary = messages.CustomVocabularyConfig{Vocabulary: []messages.VocabularyEntry{
	{Value: "Kubernetes"}, {Value: "PostgreSQL", Pronunciations: []string{"postgres", "post gress cue ell"}},
	{Value: "Steno"},
	{Value: "AWS"}, {Value: "S3"}, {Value: "GPT-4"}, {Value: "Gettleman"},
	{Value: "Siobhan", Pronunciations: []string{"shivawn"}},
	{Value: "Data-Science"}, {Value: "Acme Widgets Ltd", Pronunciations: []string{"acme widgets"}}, {Value: "Wright"},
	{Value: "Zürich"}, {Value: "Dashwood"},
}}

func TestCorrections(t *testing.T) {
	k := New(vocabulary, "en")
	for _, c := range []struct {
		confidence float64
		text, want string
	}{
		{.5, "we run cooper netties here", "we run Kubernetes here"},
		{.5, "we run Cooper Netties, here.", "we run Kubernetes, here."},
		{.5, "store it in post gress now", "store it in PostgreSQL now"},
		{.5, "this is stenno speaking", "this is Steno speaking"},
		{.9, "this is steno speaking", "this is Steno speaking"},
		{.9, "on a w s and in s three", "on AWS and in S3"},
		{.9, "ask g p t four", "ask GPT-4"},
		{.9, "ask GPT 4 about aws", "ask GPT-4 about AWS"},
		{.4, "mister gettel man said", "mister Gettleman said"},
		{.5, "i met (shiv on) there", "i met (Siobhan) there"},
		{.9, "we do data science", "we do Data-Science"},
		{.5, "at acme widgets, limited", "at Acme Widgets Ltd, limited"},
		{.9, "that is right", "that is right"},
		{.9, "near zurich", "near Zürich"},
		{.5, "mr john guess would have been", "mr john Dashwood have been"},
		{.9, "the department of the interior", "the department of the interior"},
		{.5, "", ""},
		{.5, "cooper. netties", "cooper. netties"},
	} {
		u := said(c.text, c.confidence)
		got := k.Apply(u)
		if got.Text != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got.Text, c.want)
		}
		if u.Text != c.text || shown(u) != shown(said(c.text, c.confidence)) {
			t.Errorf("the utterance given became %q", u.Text)
		}
	}
}

func shown(u messages.Utterance) string {
	var out strings.Builder
	for _, w := range u.Words {
		fmt.Fprintf(&out, "[%s %.2f-%.2f %.2f]", w.Word, w.Start, w.End, w.Confidence)
	}
	return out.String()
}

func TestTimes(t *testing.T) {
	k := New(vocabulary, "en")
	for text, want := range map[string]string{
		"run cooper netties":   "[run 0.00-0.90 0.50][ Kubernetes 1.00-2.90 0.50]",
		"acme widgets":         "[Acme 0.00-0.54 0.50][ Widgets 0.54-1.49 0.50][ Ltd 1.49-1.90 0.50]",
		"at acme widgets ltd.": "[at 0.00-0.90 0.50][ Acme 1.00-1.90 0.50][ Widgets 2.00-2.90 0.50][ Ltd. 3.00-3.90 0.50]",
	} {
		if got := shown(k.Apply(said(text, .5))); got != want {
			t.Errorf("%q becomes\n%s, want\n%s", text, got, want)
		}
	}
}

// An inflected word was heard rightly.
func TestInflections(t *testing.T) {
	k := corrector(.5, "Container", "Narrative")
	const text = "containers hold narratives"
	if got := k.Apply(said(text, .5)).Text; got != text {
		t.Errorf("%q becomes %q", text, got)
	}
}

// Intensity 0 never corrects, and more intensity corrects no less.
func TestIntensity(t *testing.T) {
	u := said("mr john guess would have in broken", .5)
	count := 0
	for _, i := range []float64{0, .2, .5, .8, 1} {
		n := 0
		for _, w := range corrector(i, "Dashwood", "Brooklyn").Apply(u).Words {
			if strings.Contains(" Dashwood Brooklyn", w.Word) {
				n++
			}
		}
		if n < count || i == 0 && n > 0 {
			t.Errorf("%d found at intensity %v, %d below", n, i, count)
		}
		count = n
	}
	if count != 2 {
		t.Errorf("%d found at intensity 1, want 2", count)
	}
	own := 0.0
	c := messages.CustomVocabularyConfig{Vocabulary: []messages.VocabularyEntry{{Value: "Steno", Intensity: &own}}}
	if got := New(c, "en").Apply(said("steno", .9)).Text; got != "steno" {
		t.Errorf("an entry of intensity 0 made %q", got)
	}
}

func TestLanguages(t *testing.T) {
	c := messages.CustomVocabularyConfig{Vocabulary: []messages.VocabularyEntry{
		{Value: "Müller"}, {Value: "Łukasz", Language: "pl"}, {Value: "東京"}, {Value: "Kubernetes", Language: "en"},
	}}
	for _, x := range []struct{ transcription, utterance, text, want string }{
		{"de", "de", "herr mahler und muller", "herr mahler und Müller"},
		{"de", "", "herr muller", "herr Müller"},
		{"de", "en", "mister muller", "mister muller"},
		{"", "de", "herr müler", "herr Müller"},
		{"", "en", "mister muller", "mister Müller"},
		{"de", "pl", "pan lukash", "pan Łukasz"},
		{"de", "de", "pan łukasz", "pan łukasz"},
		{"ja", "ja", "東京", "東京"},
		{"de", "en", "cooper netties", "Kubernetes"},
		{"de", "de", "cooper netties", "cooper netties"},
	} {
		u := said(x.text, .5)
		u.Language = x.utterance
		if got := New(c, x.transcription).Apply(u).Text; got != x.want {
			t.Errorf("%q in %q of %q becomes %q, want %q", x.text, x.utterance, x.transcription, got, x.want)
		}
	}
}

func corrector(intensity float64, values ...string) *Corrector {
	c := messages.CustomVocabularyConfig{DefaultIntensity: &intensity}
	for _, v := range values {
		c.Vocabulary = append(c.Vocabulary, messages.VocabularyEntry{Value: v})
	}
	return New(c, "en")
}

// Names may hold marks, which are there once, and tell "C++" from "C".
func TestMarksOfNames(t *testing.T) {
	var c messages.CustomVocabularyConfig
	for _, name := range []string{"C++", "C#", ".NET", "Acme Inc.", "Yahoo!", "AT&T", "Dr. Mabuse", "A+", "Disney+"} {
		c.Vocabulary = append(c.Vocabulary, messages.VocabularyEntry{Value: name})
	}
	k := New(c, "en")
	for _, c := range []struct{ text, want string }{
		{"we write C++ and C# on .NET.", "we write C++ and C# on .NET."},
		{"we write (c++).", "we write (C++)."},
		{"we use C plus plus, or C sharp", "we use C++, or C#"},
		{"vitamin C is good", "vitamin C is good"},
		{"an A in math", "an A in math"},
		{"I like Yahoo! and Acme Inc.", "I like Yahoo! and Acme Inc."},
		{"acme inc, or dr mabuse.", "Acme Inc., or Dr. Mabuse."},
		{"Disney films on disney plus", "Disney films on Disney+"},
		{"call at&t now", "call AT&T now"},
	} {
		if got := k.Apply(said(c.text, .9)); got.Text != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got.Text, c.want)
		}
	}
}
