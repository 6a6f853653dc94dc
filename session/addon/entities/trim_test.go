package entities_test

import (
	"testing"

	"steno/messages"
	"steno/session/addon/entities"
)

// TestTextWithoutPunctuation finds things in writing: their texts have no marks of the sentence,
// their times are those of their words.
func TestTextWithoutPunctuation(t *testing.T) {
	for said, want := range map[string]string{
		"My social security number is 123-45-6789.": "123-45-6789",
		"Write to zebquack@examplemail.org, please": "zebquack@examplemail.org",
		"She lives in Berlin.":                      "Berlin",
		"He said “Berlin”!":                         "Berlin",
		"It is (Berlin).":                           "Berlin",
		"Call (415) 555-0199.":                      "(415) 555-0199",
		"We meet at 5 p.m.":                         "5 p.m.",
		"My password is hunter2!, okay":             "hunter2!",
		"It costs $25.":                             "$25",
	} {
		u := messages.Utterance{Language: "en", Words: words(said)}
		got := entities.Of(u)
		if len(got) != 1 || got[0].Text != want {
			t.Errorf("%q: %+v, want %q", said, got, want)
			continue
		}
		f := entities.Find(u.Words, "en")[0]
		if got[0].Start != u.Words[f.From].Start || got[0].End != u.Words[f.To-1].End {
			t.Errorf("%q: %v to %v", said, got[0].Start, got[0].End)
		}
	}
}

func TestBare(t *testing.T) {
	for in, want := range map[string]string{
		" [SSN_1]. ": "[SSN_1]", "¿Berlin?": "Berlin", "...": "...", "": "", "Acme Inc.": "Acme Inc.",
		"Malcolm X.": "Malcolm X", "«東京»。": "東京",
		"((a": "a", "\xff.": "\xff", "Washington D.C.,": "Washington D.C.",
	} {
		if got := entities.Trim("NAME", in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestTold checks that an entity found by another provider has the value that [entities.Find] would
// assign.
func TestTold(t *testing.T) {
	list := words("at the Oktoberfest, number two")
	want := entities.Found{Type: "EVENT", From: 2, To: 5, Text: "Oktoberfest, number two",
		Value: "oktoberfest number 2"}
	if got := entities.InRange("EVENT", list, 2, 5, "en"); got != want {
		t.Errorf("%+v", got)
	}
	if got := entities.InRange("EVENT", words("..."), 0, 1, "en"); got.Value != "..." {
		t.Errorf("%+v", got)
	}
}
