package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"steno/messages"
	"steno/session/addon/entities"
	"steno/session/addon/redact"
)

var digitNames = strings.Fields("zero one two three four five six seven eight nine")

// secret is a value in several forms, and what introduces it.
type secret struct {
	intro string
	forms []string
}

// spokenDigits returns digits as words, one by one.
func spokenDigits(d string) string {
	var out []string
	for _, c := range d {
		out = append(out, digitNames[c-'0'])
	}
	return strings.Join(out, " ")
}

func digits(n int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return rapid.StringMatching(fmt.Sprintf("[2-9][0-9]{%d}", n-1)).Draw(t, "digits")
	})
}

var secrets = rapid.Custom(func(t *rapid.T) secret {
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		d := digits(8).Draw(t, "account")
		return secret{"my account number is", []string{d, spokenDigits(d)}}
	case 1:
		a, b := rapid.StringMatching("[b-df-hj-np-tv-z]{3}[a-z]{3}").Draw(t, "local"),
			rapid.StringMatching("[b-df-hj-np-tv-z]{4}[0-9]?").Draw(t, "host")
		return secret{"my email is", []string{a + "@" + b + ".com"}}
	case 2:
		d := digits(7).Draw(t, "phone")
		return secret{"call me at", []string{"415" + d, "415-" + d[:3] + "-" + d[3:], spokenDigits("415" + d)}}
	default:
		name := rapid.StringMatching("z[aeiou][bdgkmnrt][aeiou]w[aeiou]k").Draw(t, "name")
		return secret{"my last name is", []string{name, strings.ToUpper(name[:1]) + name[1:]}}
	}
})

// TestNothingLeft has a secret in one form and then in each other, in utterances and texts, without
// introduction: all of its forms must be redacted.
func TestNothingLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := secrets.Draw(t, "secret")
		mask := rapid.SampledFrom([]string{"MARKER", "MASK"}).Draw(t, "form")
		r := redact.New(messages.PIIRedactionConfig{ProcessedTextType: mask})
		us := []messages.Utterance{said(0, s.intro+" "+rapid.SampledFrom(s.forms).Draw(t, "first")+" okay")}
		for i, form := range s.forms {
			us = append(us, said(i%2, "so it was "+form+" then"), written("They said: "+form+", twice."))
		}
		for _, u := range hide(r, us...) {
			for _, form := range s.forms {
				if strings.Contains(strings.ToLower(entities.Plain(u.Text)), entities.Plain(form)) {
					t.Errorf("%q is left in %q", form, u.Text)
				}
			}
		}
	})
}

// TestShape redacts random sentences: the text is the words joined, times stay in order, silences
// cover what is gone, and what remains has nothing more to hide.
func TestShape(t *testing.T) {
	vocabulary := strings.Fields("one two double nine my name is john smith mark will email a@b.com at example dot com card 4111111111111111 " +
		"march third 1984 $25 doctor 世界 é, \"Anna's\" password blue tiger 42 on monday in paris texas [NAME_1] ...")
	rapid.Check(t, func(t *rapid.T) {
		r := marker(rapid.SampledFrom([]string{"GDPR", "HIPAA_SAFE_HARBOR", "LIDI", "NAME"}).Draw(t, "types"))
		var us []messages.Utterance
		for n := range rapid.IntRange(1, 4).Draw(t, "utterances") {
			us = append(us, said(n, strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 20).Draw(t, "words"),
				" ")))
		}
		for i, got := range hide(r, us...) {
			text, end := "", 0.0
			for _, w := range got.Words {
				if w.Start < end || w.End < w.Start {
					t.Errorf("times of %+v", w)
				}
				text, end = text+w.Word, w.End
			}
			if text != got.Text {
				t.Errorf("text %q, words %q", got.Text, text)
			}
			gone := len(us[i].Words) - len(got.Words)
			if gone > 0 && len(r.Silences()) == 0 {
				t.Errorf("%d words are gone, none silent", gone)
			}
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add("my name is john", "John said \"hi\" to [NAME_1].")
	f.Add("\xff call 415-555-0199", "\u00a0415 555\t0199\n")
	f.Add("one one one", "1 1 1")
	f.Fuzz(func(t *testing.T, first, second string) {
		for _, form := range []string{"MARKER", "MASK"} {
			r := redact.New(messages.PIIRedactionConfig{ProcessedTextType: form})
			hide(r, said(0, first), said(1, second), said(0, second), written(first))
			one, two := hide(r, written(second))[0].Text, hide(r, written(second))[0].Text
			if one != two {
				t.Errorf("not the same twice: %q, %q", one, two)
			}
		}
	})
}
