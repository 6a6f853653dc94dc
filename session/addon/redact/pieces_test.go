package redact_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"steno/messages"
)

// talk makes utterances of a text with | between them; those with "B: " before are of another
// channel.
func talk(text string) []messages.Utterance {
	var us []messages.Utterance
	for _, line := range strings.Split(text, "|") {
		other, is := strings.CutPrefix(line, "B: ")
		channel := 0
		if is {
			channel = 1
		}
		us = append(us, said(channel, other))
	}
	return us
}

// TestPieces has values in several utterances, of which each has one marker, and things said one
// after another that have nothing to do with each other.
func TestPieces(t *testing.T) {
	for _, c := range []struct{ types, in, want string }{
		{"", "my social security number is one two three|45|6789",
			" my social security number is [SSN_1]| [SSN_1]| [SSN_1]"},
		{"PCI", "my card number is|four one one one one one one one|one one one one|one one one one",
			" my card number is| [CREDIT_CARD_1]| [CREDIT_CARD_1]| [CREDIT_CARD_1]"},
		{"PCI", "My card is 4111.|1111.|1111.|1111. Thanks.",
			" My card is [CREDIT_CARD_1].| [CREDIT_CARD_1].| [CREDIT_CARD_1].| [CREDIT_CARD_1]. Thanks."},
		// A recognizer that decodes each piece alone writes words that sound like digits, and ends
		// each piece as a sentence.
		{"", "My social security number is one to three.|For five, six, seven, eight, nine.|For example.",
			" My social security number is [SSN_1].| [SSN_1].| For example."},
		{"", "Call me at 415-555.|2671, please.|To be sure.",
			" Call me at [PHONE_NUMBER_1].| [PHONE_NUMBER_1], please.| To be sure."},
		{"", "my name is Maria|de la|Cruz|ok", " my name is [NAME_1]| [NAME_1]| [NAME_1]| ok"},
		{"", "call me at 415 555|mhm|B: Uh-huh.|Okay.|0199",
			" call me at [PHONE_NUMBER_1]| mhm| Uh-huh.| Okay.| [PHONE_NUMBER_1]"},
		// Each number has its own marker, and what is no number stays.
		{"", "call me at 415 555 0199|B: okay|415 555 0142", " call me at [PHONE_NUMBER_1]| okay| [PHONE_NUMBER_2]"},
		{"PHONE_NUMBER", "call me at 415|555 0199|415|555|0142",
			" call me at [PHONE_NUMBER_1]| [PHONE_NUMBER_1]| [PHONE_NUMBER_2]| [PHONE_NUMBER_2]| [PHONE_NUMBER_2]"},
		{"", "call me at 415 555 0199|B: and me at 415 555 0142",
			" call me at [PHONE_NUMBER_1]| and me at [PHONE_NUMBER_2]"},
		{"", "call me at five five five one two three four|no|four one five five five five zero one nine nine",
			" call me at [PHONE_NUMBER_1]| no| [PHONE_NUMBER_2]"},
		{"", "my order number is 7391442|7391442|B: 7391442",
			" my order number is [NUMERICAL_PII_1]| [NUMERICAL_PII_1]| [NUMERICAL_PII_1]"},
		{"", "my ssn is one two three four five|six seven eight nine|one more thing",
			" my ssn is [SSN_1]| [SSN_1]| one more thing"},
		{"", "it's four two four two four two four two|four two four two four two four two|one moment",
			" it's [CREDIT_CARD_1]| [CREDIT_CARD_1]| one moment"},
		{"", "i have two dogs|three cats|four birds|five fish|six of them|seven more",
			" i have two dogs| three cats| four birds| five fish| six of them| seven more"},
		// What one asks is what the other tells, and reads back, in pieces.
		{"ACCOUNT_NUMBER", "B: your account number please|nine nine two|B: nine nine two|one zero|B: one zero|four four|B: four four, thanks",
			" your account number please| [ACCOUNT_NUMBER_1]| [ACCOUNT_NUMBER_1]| [ACCOUNT_NUMBER_1]| [ACCOUNT_NUMBER_1]| [ACCOUNT_NUMBER_1]| [ACCOUNT_NUMBER_1], thanks"},
		{"SSN", "my ssn is 123|B: 123|45|B: 45|6789|B: 6789, thanks",
			" my ssn is [SSN_1]| [SSN_1]| [SSN_1]| [SSN_1]| [SSN_1]| [SSN_1], thanks"},
		// A password continues in the next utterance; a sentence is no password.
		{"", "my password is swordfish|born may fifth nineteen eighty", " my password is [PASSWORD_1]| born [DOB_1]"},
		{"", "my password is swordfish|john smith speaking", " my password is [PASSWORD_1]| [NAME_1] speaking"},
		{"", "my password is swordfish|got it|i like the weather",
			" my password is [PASSWORD_1]| got it| i like the weather"},
		{"", "my password is|swordfish|and i want to go", " my password is| [PASSWORD_1]| and i want to go"},
		{"", "my password is green apple|seven seven|thanks", " my password is [PASSWORD_1]| [PASSWORD_1]| thanks"},
		{"", "my password is s w o r d|f i s h|seven", " my password is [PASSWORD_1]| [PASSWORD_1]| [PASSWORD_1]"},
	} {
		t.Run(c.in, func(t *testing.T) {
			var types []string
			if c.types != "" {
				types = []string{c.types}
			}
			if got := strings.Join(texts(hide(marker(types...), talk(c.in)...)), "|"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestSpeakers has two speakers on one channel, each with a number in pieces, the second after the
// first.
func TestSpeakers(t *testing.T) {
	us := talk("my ssn is 123|123|45|45|6789|6789 thanks")
	for i := range us {
		speaker := i % 2
		us[i].Speaker = &speaker
	}
	want := []string{" my ssn is [SSN_1]", " [SSN_1]", " [SSN_1]", " [SSN_1]", " [SSN_1]", " [SSN_1] thanks"}
	if got := texts(hide(marker("SSN"), us...)); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestPauses checks that no value continues after a long silence, though the question still counts.
func TestPauses(t *testing.T) {
	for _, c := range []struct {
		pause    float64
		in, want string
	}{
		{5, "my order number is 73914|42200", " my order number is [NUMERICAL_PII_1]| [NUMERICAL_PII_1]"},
		{60, "my order number is 73914|42200", " my order number is [NUMERICAL_PII_1]| 42200"},
		{60, "what is your account number|73914", " what is your account number| [ACCOUNT_NUMBER_1]"},
	} {
		us := talk(c.in)
		us[1].Start, us[1].End = us[0].End+c.pause, us[0].End+c.pause+0.8
		if got := strings.Join(texts(hide(marker(), us...)), "|"); got != c.want {
			t.Errorf("after %v s: %q, want %q", c.pause, got, c.want)
		}
	}
}

// TestTextsInPieces has a recognizer that returns no words: the whole utterance is silenced.
func TestTextsInPieces(t *testing.T) {
	us := []messages.Utterance{written("My social is 123."), written("45."), written("6789."), written("Bye.")}
	for i := range us {
		us[i].Start, us[i].End = float64(i), float64(i)+0.9
	}
	r := marker()
	if got := texts(hide(r, us...)); !slices.Equal(got, []string{"My social is [SSN_1].", "[SSN_1].", "[SSN_1].",
		"Bye."}) {
		t.Errorf("%q", got)
	}
	if got := r.Silences(); len(got) != 3 || got[2].End != 2.9 {
		t.Errorf("silent: %v", got)
	}
}

// BenchmarkAll hides a talk of one and of three hours: the second takes three times as long.
func BenchmarkAll(b *testing.B) {
	for _, hours := range []int{1, 3} {
		var us []messages.Utterance
		for i := range hours * 120 {
			us = append(us, talk("so my name is john smith and you can call|B: mhm|me at four one five|five five five zero one nine nine|"+
				"B: okay and what was your order number again please|seven three|nine one four "+fmt.Sprint(i)+
				" i think|and it was about the delivery of the")...)
		}
		b.Run(fmt.Sprint(hours), func(b *testing.B) {
			for b.Loop() {
				hide(marker(), us...)
			}
		})
	}
}
