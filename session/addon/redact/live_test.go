package redact_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/addon/redact"
)

func liveMarker(types ...string) *redact.Live {
	return redact.NewLive(messages.PIIRedactionConfig{EntityTypes: types})
}

// finals redacts utterances one after another as a session does.
func finals(l *redact.Live, us []messages.Utterance) (list []messages.Utterance) {
	for i, u := range us {
		list = append(list, l.Final(fmt.Sprint(i), u))
	}
	return list
}

// spaced puts the utterances of [talk] one after another in time.
func spaced(us []messages.Utterance) []messages.Utterance {
	at := 0.0
	for i := range us {
		u := &us[i]
		u.Words = slices.Clone(u.Words)
		for k := range u.Words {
			u.Words[k].Start, u.Words[k].End = at, at+0.5
			at++
		}
		u.Start, u.End = u.Words[0].Start, at-0.5
	}
	return us
}

// Each final is redacted by all that was said until its end, and by nothing after it.
func TestLiveFinals(t *testing.T) {
	for _, c := range []struct{ types, in, want string }{
		{"PCI", "B: can i get the long number on the front|sure it's three seven eight two|" +
			"B: three seven eight two okay",
			" can i get the long number on the front| sure it's [CREDIT_CARD]| [CREDIT_CARD] okay"},
		{"PCI", "B: read me the sixteen digits please|five one oh five",
			" read me the sixteen digits please| [CREDIT_CARD]"},
		{"PCI", "B: and the security code on the back is|B: uh|four one two|okay",
			" and the security code on the back is| uh| [CVV_1]| okay"},
		{"PCI", "what is the security code on the back|B: nine oh one|thanks",
			" what is the security code on the back| [CVV_1]| thanks"},
		{"PCI", "my card number is four one one one|one one one one|one one one one one one one one|thank you",
			" my card number is [CREDIT_CARD]| [CREDIT_CARD_1]| [CREDIT_CARD_2]| thank you"},
		{"SSN", "my ssn is one two|um three four five six seven eight nine|i have two dogs",
			" my ssn is [SSN]| [SSN_1]| i have two dogs"},
		{"", "my order number is 73914 thanks|yes 73914|B: 73914 it is",
			" my order number is [NUMERICAL_PII_1] thanks| yes [NUMERICAL_PII_1]| [NUMERICAL_PII_1] it is"},
		{"", "my name is Maria Cruz|hi Maria|B: how are you Ms. Cruz",
			" my name is [NAME_1]| hi [NAME_1]| how are you Ms. [NAME_1]"},
		// What words after a final reveal was sent before.
		{"PCI", "four one one one|is how my card begins", " four one one one| is how my card begins"},
		{"NAME", "the number is 4111 1111 1111 1111", " the number is 4111 1111 1111 1111"},
		{"PCI", "we met in 2019|there are two hundred of us", " we met in 2019| there are two hundred of us"},
	} {
		var types []string
		if c.types != "" {
			types = []string{c.types}
		}
		if got := strings.Join(texts(finals(liveMarker(types...), spaced(talk(c.in)))), "|"); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

// A partial hides what a final does, numbers that were announced from their first digit on, and
// others from the third. It is not remembered.
func TestLivePartials(t *testing.T) {
	l := liveMarker("PCI")
	for _, c := range []struct{ in, want string }{
		{"my card number is four", " my card number is [CREDIT_CARD]"},
		{"so five five five apples", " so [NUMERICAL_PII] apples"},
		{"so five five apples", " so five five apples"},
		{"the card is 4111 1111 1111 1111 and", " the card is [CREDIT_CARD_1] and"},
		{"the card is 5555 5555 5555 4444 and", " the card is [CREDIT_CARD_1] and"},
	} {
		if got := l.Partial(said(0, c.in)).Text; got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := liveMarker("NAME").Partial(said(0, "so five five five apples")).Text; got != " so five five five apples" {
		t.Errorf("numbers that are not asked for: %q", got)
	}
}

// digitsLeft returns how many digits of the value can be read in what was said.
func (d dictation) digitsLeft(us ...messages.Utterance) (n int) {
	for _, u := range us {
		for _, w := range u.Words {
			if at := int(w.Start); u.Channel != 0 || at < d.from || at >= d.to || strings.Contains(w.Word, "[") {
				continue
			}
			n += len(strings.Trim(w.Word, " .,-")) - len(strings.TrimLeft(strings.Trim(w.Word, " .,-"), "0123456789"))
			if slices.Contains(digitNames, strings.Trim(w.Word, " .")) {
				n++
			}
		}
	}
	return n
}

// Values are cut into utterances in any way: no partial shows more than two digits of one, and all
// finals together no more than four.
func TestLiveDictated(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, d := range dictations(t) {
		for n := range 4 {
			list := choices(n, len(d.words)-1)
			random.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
			for i, places := range list[:min(len(list), 3)] {
				l, us := liveMarker(d.kind), d.cut(places, []string{"", "."}[i%2], i/2%2 == 1)
				var sent []messages.Utterance
				for k, u := range us {
					for m := range u.Words {
						p := u
						p.Words = u.Words[:m+1]
						p.Text = messages.TextOf(p.Words)
						if got := l.Partial(p); d.digitsLeft(got) > 2 {
							t.Errorf("%s: partial %q of %q", d.kind, got.Text, texts(us))
						}
					}
					sent = append(sent, l.Final(fmt.Sprint(k), u))
				}
				if d.digitsLeft(sent...) > 4 {
					t.Errorf("%s: %q of %q", d.kind, texts(sent), texts(us))
				}
			}
		}
	}
}

// A session that is taken over after any of its finals redacts the rest as it would have, and
// finals that are made again as they were.
func TestLiveTakenOver(t *testing.T) {
	us := spaced(talk("my name is Maria Cruz|my ssn is one two three|four five|B: four five|six seven eight nine|" +
		"B: thanks Maria|so it was 123456789"))
	whole := liveMarker()
	var states [][]byte
	var want []string
	for i, u := range us {
		want = append(want, whole.Final(fmt.Sprint(i), u).Text)
		states = append(states, whole.AppendState(nil))
	}
	for i, state := range states {
		for _, again := range []int{0, 1} {
			l := liveMarker()
			if err := l.RestoreState(state); err != nil {
				t.Fatal(err)
			}
			if err := l.RestoreState(states[0]); err != nil { // of another channel, which is older
				t.Fatal(err)
			}
			from := i + 1 - again
			var got []string
			for k, u := range us[from:] {
				got = append(got, l.Final(fmt.Sprint(from+k), u).Text)
			}
			if !slices.Equal(got, want[from:]) {
				t.Errorf("after %d: %q, want %q", i, got, want[from:])
			}
		}
	}
	if err := liveMarker().RestoreState([]byte("{")); err == nil {
		t.Error("a damaged state is accepted")
	}
}

// Speech in a language in which not all is found is hidden as a whole.
func TestLiveLanguages(t *testing.T) {
	german := said(0, "mein Name ist Frank")
	german.Language = "de"
	for effort, want := range map[bool]string{false: " ####", true: " mein Name ist Frank"} {
		l := redact.NewLive(messages.PIIRedactionConfig{EntityTypes: []string{"NAME"}, BestEffort: effort})
		if got := l.Final("0", german); got.Text != want || messages.TextOf(got.Words) != want ||
			got.Words[len(got.Words)-1].End != german.Words[3].End {
			t.Errorf("%q: %+v", want, got)
		}
	}
}

// What a session remembers is bounded.
func TestLiveIsBounded(t *testing.T) {
	l, most := liveMarker(), 0
	for i := range 420 {
		u := said(0, fmt.Sprintf("my order number is %d thanks", 1000000+i*7919))
		u.Start, u.End = float64(10*i), float64(10*i+5)
		if got := l.Final(fmt.Sprint(i), u).Text; strings.Contains(got, "000") {
			t.Fatal(got)
		}
		most = max(most, len(l.AppendState(nil)))
	}
	if most > 200_000 {
		t.Errorf("%d bytes in a checkpoint", most)
	}
}

// BenchmarkLive redacts a partial of twenty words after the longest context.
func BenchmarkLive(b *testing.B) {
	l := liveMarker()
	text := strings.Repeat("so what i wanted to say is that it is fine|B: i see what you mean and|", 40)
	finals(l, spaced(talk(strings.TrimSuffix(text, "|"))))
	p := said(0, "and then i said that we would like to have seven of these by the end of the next month please")
	for b.Loop() {
		l.Partial(p)
	}
}
