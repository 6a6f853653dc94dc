package redact_test

import (
	"slices"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/addon/redact"
)

// said makes an utterance of a text, one word a second.
func said(channel int, text string) messages.Utterance {
	u := messages.Utterance{Channel: channel, Language: "en", Confidence: 0.9}
	for i, f := range strings.Fields(text) {
		u.Words = append(u.Words, messages.Word{Word: " " + f, Start: float64(i), End: float64(i) + 0.8,
			Confidence: 1 - float64(i)/100})
	}
	for _, w := range u.Words {
		u.Text += w.Word
	}
	if n := len(u.Words); n > 0 {
		u.Start, u.End = u.Words[0].Start, u.Words[n-1].End
	}
	return u
}

// written makes an utterance of a text without words.
func written(text string) messages.Utterance { return messages.Utterance{Text: text} }

// hide returns the redacted utterances.
func hide(r *redact.Redactor, us ...messages.Utterance) []messages.Utterance {
	list, _ := r.All(us, nil)
	return list
}

func marker(types ...string) *redact.Redactor {
	return redact.New(messages.PIIRedactionConfig{EntityTypes: types})
}

func TestForms(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		types          []string
	}{
		{"one", "call four one five five five five zero one nine nine now", " call [PHONE_NUMBER_1] now", nil},
		{"written", "My name is John Smith.", " My name is [NAME_1].", nil},
		{"marks", "Is it \"Anna\"? (Ask Mary.) Well, Tom...",
			" Is it \"[NAME_GIVEN_1]\"? (Ask [NAME_GIVEN_2].) Well, [NAME_GIVEN_3]...", nil},
		{"abbreviation", "The U.K. team left the U.K. It rained.",
			" The [LOCATION_COUNTRY_1] team left the [LOCATION_COUNTRY_1]. It rained.", nil},
		{"abbreviation before a name", "The U.S. Navy came at 9 a.m. Then it left.",
			" The [LOCATION_COUNTRY_1] Navy came at [TIME_1]. Then it left.", []string{"LOCATION", "TIME"}},
		{"password", "My password is tango, seven, seven, alpha. Next.", " My password is [PASSWORD_1]. Next.", nil},
		{"dictated with marks", "Call five five five, zero one two three. Or 555-0123!",
			" Call [PHONE_NUMBER_1]. Or [PHONE_NUMBER_1]!", nil},
		{"possessive", "it was John's idea", " it was [NAME_GIVEN_1]'s idea", nil},
		{"whole utterance", "john.smith@example.com", " [EMAIL_ADDRESS_1]", nil},
		{"two of a type", "from paris@example.com to rome@example.com", " from [EMAIL_ADDRESS_1] to [EMAIL_ADDRESS_2]",
			nil},
		{"same twice", "a@example.com or a at example dot com", " [EMAIL_ADDRESS_1] or [EMAIL_ADDRESS_1]", nil},
		{"only some types", "john smith has a visa card 4111111111111111",
			" john smith has a visa card [CREDIT_CARD_1]", []string{"PCI"}},
		{"part of a type", "i am john smith", " i am [NAME_GIVEN_1] smith", []string{"NAME_GIVEN"}},
		{"nothing", "may i ask who is calling", " may i ask who is calling", nil},
		{"empty", "", "", nil},
		{"other scripts", "東京 an john@example.com 🙂 straße", " 東京 an [EMAIL_ADDRESS_1] 🙂 straße", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := hide(marker(c.types...), said(0, c.in))[0]; got.Text != c.want {
				t.Errorf("%q, want %q", got.Text, c.want)
			}
		})
	}
}

// TestMarksOfAllScripts hides what stands before a mark of the speaker's script as what stands
// before a Latin one.
func TestMarksOfAllScripts(t *testing.T) {
	for _, c := range []struct{ language, in, want string }{
		{"ar", "رقم بطاقتي 4111111111111111، شكرا", " رقم بطاقتي [CREDIT_CARD_1]، شكرا"},
		{"hi", "मेरा नंबर 9876543210।", " मेरा नंबर [PHONE_NUMBER_1]।"},
		{"ja", "電話は 090-1234-5678。", " 電話は [PHONE_NUMBER_1]。"},
		{"zh", "邮箱是 li@example.cn， 好", " 邮箱是 [EMAIL_ADDRESS_1]， 好"},
		{"ur", "نمبر 4111111111111111۔", " نمبر [CREDIT_CARD_1]۔"},
	} {
		u := said(0, c.in)
		u.Language = c.language
		if got := hide(marker(), u)[0]; got.Text != c.want {
			t.Errorf("%s: %q, want %q", c.language, got.Text, c.want)
		}
	}
}

// TestDigitsOfAllScripts hides numbers written with the digits of the speaker's script as those
// with digits of ASCII.
func TestDigitsOfAllScripts(t *testing.T) {
	for _, c := range []struct{ language, in, want string }{
		{"ar", "رقم بطاقتي ٤١١١ ١١١١ ١١١١ ١١١١ شكرا", " رقم بطاقتي [CREDIT_CARD_1] شكرا"},
		{"fa", "کارت من ۴۱۱۱۱۱۱۱۱۱۱۱۱۱۱۱ است، 4111111111111111", " کارت من [CREDIT_CARD_1] است، [CREDIT_CARD_1]"},
		{"hi", "मेरा नंबर ९८७६५४३२१० है", " मेरा नंबर [PHONE_NUMBER_1] है"},
		{"ja", "番号は ４１１１１１１１１１１１１１１１ です", " 番号は [CREDIT_CARD_1] です"},
		{"ja", "電話は ０９０－１２３４－５６７８ です", " 電話は [PHONE_NUMBER_1] です"},
		{"ja", "ｔａｒｏ＠ｅｘａｍｐｌｅ．ｊｐ です", " [EMAIL_ADDRESS_1] です"},
		{"en", "my card is 𝟜𝟙𝟙𝟙 𝟙𝟙𝟙𝟙 𝟙𝟙𝟙𝟙 𝟙𝟙𝟙𝟙", " my card is [CREDIT_CARD_1]"},
	} {
		u := said(0, c.in)
		u.Language = c.language
		if got := hide(marker(), u)[0]; got.Text != c.want {
			t.Errorf("%s: %q, want %q", c.language, got.Text, c.want)
		}
	}
}

// TestSeveralFamilyNames leaves no part of a name that has more parts than a given and a family
// name.
func TestSeveralFamilyNames(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"My name is María García López.", " My name is [NAME_1]."},
		{"My name is Jean-Luc Picard, and Picard called.", " My name is [NAME_1], and [NAME_1] called."},
		{"I spoke to John Fitzgerald Kennedy Junior yesterday.", " I spoke to [NAME_1] yesterday."},
		{"I saw John Smith Monday in Paris.", " I saw [NAME_1] Monday in [LOCATION_CITY_1]."},
	} {
		if got := hide(marker(), said(0, c.in))[0]; got.Text != c.want {
			t.Errorf("%q, want %q", got.Text, c.want)
		}
	}
}

func TestWordOfMarker(t *testing.T) {
	u := said(0, "so mail john dot smith at example dot com please")
	before := slices.Clone(u.Words)
	got := hide(marker(), u)[0]
	want := messages.Word{Word: " [EMAIL_ADDRESS_1]", Start: 2, End: 8.8, Confidence: 0.92}
	if len(got.Words) != 4 || got.Words[2] != want {
		t.Errorf("%+v", got.Words)
	}
	if got.Start != u.Start || got.End != u.End || got.Confidence != u.Confidence {
		t.Errorf("utterance: %+v", got)
	}
	if !slices.Equal(u.Words, before) {
		t.Error("the argument was changed")
	}
}

func TestMask(t *testing.T) {
	for in, want := range map[string]string{
		"Mail Jane.Doe@example.org, please.":           " Mail ####, please.",
		"ask john smith":                               " ask ####",
		"my password is hunter2! okay":                 " my password is #### okay",
		"my name is ÅSA LÖFGREN ok":                    " my name is #### ok",
		"call (415) 555-0199 extension 12 ok":          " call #### ok",
		"my pin is four double one two, and 4112 here": " my pin is ####, and #### here",
		"it was John's":                                " it was ####'s",
	} {
		r := redact.New(messages.PIIRedactionConfig{ProcessedTextType: "MASK"})
		if got := hide(r, said(0, in))[0]; got.Text != want {
			t.Errorf("%q, want %q", got.Text, want)
		}
	}
}

// TestStable checks that a value has the same marker in other utterances, channels and texts, in
// whatever form it is spoken.
func TestStable(t *testing.T) {
	r := marker()
	hide(r, said(0, "my name is zbigniew kowalczyk and my order number is seven three nine one four four two"))
	for in, want := range map[string]string{
		"thank you zbigniew":                  " thank you [NAME_1]",
		"so that is 7391442 right":            " so that is [NUMERICAL_PII_1] right",
		"seven three nine one double four 2?": " [NUMERICAL_PII_1]?",
	} {
		if got := hide(r, said(1, in))[0]; got.Text != want {
			t.Errorf("%q, want %q", got.Text, want)
		}
	}
	for in, want := range map[string]string{
		"Zbigniew Kowalczyk called about\n\n- order 7391442.": "[NAME_1] called about\n\n- order [NUMERICAL_PII_1].",
		"Le client, M. KOWALCZYK, a commandé «7391442».":      "Le client, M. [NAME_1], a commandé «[NUMERICAL_PII_1]».",
		"She is Anna Schmidt. ":                               "She is [NAME_2]. ",
		"[NAME_1] wants [NUMERICAL_PII_1]":                    "[NAME_1] wants [NUMERICAL_PII_1]",
		"  seven three nine one four four two ":               "  [NUMERICAL_PII_1] ",
		"":                                                    "",
	} {
		if got := hide(r, written(in))[0]; got.Text != want {
			t.Errorf("%q: %q, want %q", in, got.Text, want)
		}
	}
}

// TestRepeated has a number that the listener repeats, which is not the rest of it.
func TestRepeated(t *testing.T) {
	got := hide(marker(), said(0, "my order number is seven three nine one four four two"),
		said(1, "seven three nine one double four 2?"),
		said(0, "yes 7391442"))
	for i, want := range []string{" my order number is [NUMERICAL_PII_1]", " [NUMERICAL_PII_1]?",
		" yes [NUMERICAL_PII_1]"} {
		if got[i].Text != want {
			t.Errorf("%q, want %q", got[i].Text, want)
		}
	}
}

// TestQuestion takes what a number is from another channel's question.
func TestQuestion(t *testing.T) {
	r := marker("ACCOUNT_NUMBER")
	us := []messages.Utterance{said(0, "can i have your account number please"),
		said(1, "sure nine nine two one zero four four")}
	if got := hide(r, us...)[1]; got.Text != " sure [ACCOUNT_NUMBER_1]" {
		t.Errorf("%q", got.Text)
	}
}

// TestAll hides a number dictated in two pieces, and a name before it was introduced.
func TestAll(t *testing.T) {
	us := []messages.Utterance{
		said(0, "zbigniew are you there"), said(1, "call me at four one five five five five"), said(0, "yes"),
		said(1, "zero one nine nine please"), said(1, "my name is zbigniew kowalczyk"),
	}
	want := []string{" [NAME_1] are you there", " call me at [PHONE_NUMBER_1]", " yes", " [PHONE_NUMBER_1] please",
		" my name is [NAME_1]"}
	list, _ := marker().All(us, nil)
	for i, u := range list {
		if u.Text != want[i] {
			t.Errorf("%d: %q, want %q", i, u.Text, want[i])
		}
	}
}

// TestWithoutWords redacts the text of an utterance whose engine returns no words.
func TestWithoutWords(t *testing.T) {
	got := hide(marker(), messages.Utterance{Text: " Ask John Smith.", Language: "en"})[0]
	if got.Text != " Ask [NAME_1]." || len(got.Words) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestNotAgain leaves ordinary words alone, though they once were a name.
func TestNotAgain(t *testing.T) {
	r := marker()
	if got := hide(r, said(0, "my name is will"))[0]; got.Text != " my name is [NAME_GIVEN_1]" {
		t.Fatalf("%q", got.Text)
	}
	if got := hide(r, written("the team will meet"))[0]; got.Text != "the team will meet" {
		t.Errorf("%q", got.Text)
	}
}
