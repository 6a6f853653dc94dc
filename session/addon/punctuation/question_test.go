package punctuation

import (
	"strings"
	"testing"

	"steno/messages"
)

// TestQuestions checks that text that begins like a question is one, after a greeting too, and that
// text that only resembles a question is none.
func TestQuestions(t *testing.T) {
	for text, want := range map[string]bool{
		"hello how are you":                             true,
		"good morning everyone how are you":             true,
		"Hello, Anna, how are you":                      true,
		"so hi there um what is the plan":               true,
		"good evening ladies and gentlemen may i begin": true,
		"thank you can you hear me":                     true,
		"does the store open today":                     true,
		"can your team finish it":                       true,
		"which do you like":                             true,
		"might i add something":                         true,
		"how":                                           true,
		"hello":                                         false,
		"hello this is anna from sales":                 false,
		"hello you are there":                           false,
		"hello i will do it":                            false,
		"good morning we have a plan":                   false,
		"good for you":                                  false,
		"do it again":                                   false,
		"have that checked":                             false,
		"had i known i would have stayed":               false,
		"which is why we left":                          false,
		"is the best of all":                            false,
		"what a day":                                    false,
		"how i met your mother":                         false,
		"when we left it rained":                        false,
		"thank you for calling support":                 false,
		"welcome to the show":                           false,
		"hey don't do that":                             false,
		"":                                              false,
		"um so and":                                     false,
		"hello hello good morning excuse me hi":         false,
	} {
		var words []messages.Word
		for f := range strings.FieldsSeq(text) {
			words = append(words, messages.Word{Word: " " + f})
		}
		if asks(words) != want {
			t.Errorf("%q asks: %v", text, !want)
		}
	}
	if got := Enhance([]messages.Utterance{said("en", 0, "hello how are you")}, nil)[0].Text; got !=
		" Hello how are you?" {
		t.Errorf("%q", got)
	}
}
