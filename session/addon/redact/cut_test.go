package redact_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/addon/redact"
)

// dictated lists values, each after the words that announce it. What is in braces must be redacted.
const dictated = `
SSN: my social security number is {one two three four five six seven eight nine}
SSN: my social is {123-45-6789} okay
SSN: my s s n is {219 09 9999}
SSN: it is {two one nine dash zero nine dash nine nine nine nine}
PHONE_NUMBER: call me at {five five five one two three four five six seven} please
PHONE_NUMBER: you can reach me at {415 555 0199} after noon
PHONE_NUMBER: my cell is {four one five five five five oh one double nine}
PHONE_NUMBER: call {+33 6 12 34 56 78} tomorrow
PHONE_NUMBER: call me at {five five five one two three four}
PHONE_NUMBER: text {555 1234} please
CREDIT_CARD: my card number is {four one one one one one one one one one one one one one one one}
CREDIT_CARD: my card number is {4111 1111 1111 1111} thanks
CREDIT_CARD: the visa is {five five five five five five five five five five five five four four four four} and
CREDIT_CARD: the card is {4242 4242 4242 4242}
CREDIT_CARD: my amex is {three seven eight two eight two two four six three one zero zero zero five}
CREDIT_CARD_EXPIRATION: the card expires {oh three twenty seven}
CREDIT_CARD_EXPIRATION: expiration date {march twenty twenty seven}
CREDIT_CARD_EXPIRATION: it expires {zero nine slash two eight} i think
CVV: the security code is {one two three}
CVV: the c v v is {four five six seven} okay
BANK_ACCOUNT: my iban is {DE89 3704 0044 0532 0130 00}
BANK_ACCOUNT: my iban is {d e eight nine three seven zero four zero zero four four zero five three two zero one three zero zero zero}
BANK_ACCOUNT: the iban {GB82 WEST 1234 5698 7654 32} is mine
BANK_ACCOUNT: my checking account number is {three three four five six seven eight one nine zero}
ROUTING_NUMBER: the routing number is {zero two one zero zero zero zero two one} yes
ROUTING_NUMBER: the routing number is {021 000 021}
ACCOUNT_NUMBER: my account number is {eight eight two one zero four four}
ACCOUNT_NUMBER: my account number is {771 200 45}
PASSPORT_NUMBER: my passport number is {c zero one x zero zero t four seven}
PASSPORT_NUMBER: passport number {x as in xray one two three four five six seven}
DRIVER_LICENSE: my driver license is {d six one zero one four zero seven}
DRIVER_LICENSE: my driving licence number is {F255 9210 500 94}
HEALTHCARE_NUMBER: my medicare number is {one two three four five six seven eight nine zero}
LOCATION_ZIP: the zip code is {nine zero two one zero}
LOCATION_ZIP: my zip is {606 14}
IP_ADDRESS: the server is {ten dot zero dot zero dot one}
IP_ADDRESS: it is {one ninety two dot one sixty eight dot one dot forty two} there
DOB: i was born on {march third nineteen eighty four}
DOB: my date of birth is {the second of august nineteen seventy one}
DOB: date of birth {June 9th 1992}
DOB: my birthday is {oh four twelve nineteen sixty eight} okay
EMAIL_ADDRESS: my email is {john dot smith at gmail dot com}
EMAIL_ADDRESS: my email is {j o h n dot s m i t h at gmail dot com} thanks
EMAIL_ADDRESS: my email address is {z b i g n i e w dot k o w a l c z y k at g m x dot d e}
EMAIL_ADDRESS: write to {mary underscore jones eighty four at example dot co dot uk}
NUMERICAL_PII: my order number is {seven three nine one four four two}
NUMERICAL_PII: my booking code is {b four four seven one zero}
VEHICLE_ID: the license plate is {eight k l m four two one}
ORGANIZATION_ID: the tax id is {four seven dash one one two two three three three}
PASSWORD: my pin is {four seven one one}
`

// dictation is a sentence and which of its words are a value.
type dictation struct {
	kind     string
	words    []string
	from, to int
}

func dictations(t *testing.T) []dictation {
	t.Helper()
	var list []dictation
	for line := range strings.Lines(strings.TrimSpace(dictated)) {
		kind, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
		d := dictation{kind: kind}
		for i, w := range strings.Fields(text) {
			if strings.HasPrefix(w, "{") {
				d.from = i
			}
			if strings.HasSuffix(w, "}") {
				d.to = i + 1
			}
			d.words = append(d.words, strings.Trim(w, "{}"))
		}
		list = append(list, d)
	}
	if len(list) < 30 {
		t.Fatalf("%d values", len(list))
	}
	return list
}

// cut makes utterances of the words, one word a second. With an end each has it, as recognizers of
// one utterance at a time write. With a listener, an utterance on another channel follows each.
func (d dictation) cut(places []int, end string, listener bool) []messages.Utterance {
	var us []messages.Utterance
	from := 0
	for i, to := range append(slices.Clone(places), len(d.words)) {
		u := said(0, strings.Join(d.words[from:to], " ")+end)
		for k := range u.Words {
			u.Words[k].Start, u.Words[k].End = u.Words[k].Start+float64(from), u.Words[k].End+float64(from)
		}
		u.Start, u.End = u.Words[0].Start, u.Words[len(u.Words)-1].End
		us, from = append(us, u), to
		if listener {
			o := said(1, []string{"mhm", "Okay.", "uh-huh", "yes, go on", "Got it!"}[i%5])
			o.Start, o.End = u.End, u.End+0.1
			us = append(us, o)
		}
	}
	return us
}

// seen redacts the utterances and describes the first fault of the result; it is empty if there is
// none.
func (d dictation) seen(us []messages.Utterance, types ...string) string {
	r := marker(types...)
	marks := map[string]bool{}
	for _, u := range hide(r, us...) {
		if u.Channel != 0 {
			continue
		}
		for _, w := range u.Words {
			if strings.Contains(w.Word, "[") {
				_, mark, _ := strings.Cut(strings.TrimRight(w.Word, ".,"), "[")
				marks[mark] = true
				continue
			}
			if at := int(w.Start); at >= d.from && at < d.to {
				return fmt.Sprintf("%q is left in %q", w.Word, u.Text)
			}
		}
		if u.Text != messages.TextOf(u.Words) {
			return fmt.Sprintf("text %q, words %q", u.Text, messages.TextOf(u.Words))
		}
	}
	for i := d.from; i < d.to; i++ {
		if !slices.ContainsFunc(r.Silences(), func(s redact.Span) bool {
			return s.Channel == 0 && s.Start <= float64(i) && float64(i)+0.8 <= s.End
		}) {
			return fmt.Sprintf("word %d is heard: %v", i, r.Silences())
		}
	}
	if len(marks) != 1 {
		return fmt.Sprintf("markers %v", marks)
	}
	return ""
}

// choices are all choices of n of the places 1 to last, ascending.
func choices(n, last int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var list [][]int
	for p := n; p <= last; p++ {
		for _, c := range choices(n-1, p-1) {
			list = append(list, append(slices.Clone(c), p))
		}
	}
	return list
}

// TestDictated cuts each sentence between its words into two to five utterances: none of the value
// may be read or heard, and all its pieces have one marker. It tries some of the many cuts, or all
// with STENO_EVERY_CUT.
func TestDictated(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, d := range dictations(t) {
		t.Run(strings.Join(d.words, " "), func(t *testing.T) {
			var cuts [][]int
			for n := range 5 {
				list := choices(n, len(d.words)-1)
				if os.Getenv("STENO_EVERY_CUT") == "" {
					random.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
					list = list[:min(len(list), 9)]
				}
				cuts = append(cuts, list...)
			}
			for i, places := range cuts {
				us := d.cut(places, []string{"", "."}[i%2], i/2%2 == 1)
				types := [][]string{nil, {d.kind}}[i/4%2]
				if bad := d.seen(us, types...); bad != "" {
					t.Fatalf("%v of %q: %s", types, texts(us), bad)
				}
			}
		})
	}
}

// TestAsked has another channel ask for each value, which is spoken in pieces; then a sentence
// begins with a number.
func TestAsked(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, d := range dictations(t) {
		question := said(1, strings.Join(d.words[:d.from], " "))
		d.words, d.from, d.to = d.words[d.from:], 0, d.to-d.from
		for n := range 4 {
			list := choices(n, len(d.words)-1)
			random.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
			for i, places := range list[:min(len(list), 4)] {
				us := append([]messages.Utterance{question}, d.cut(places, "", i%2 == 1)...)
				more := said(0, "one more thing")
				for k := range more.Words {
					more.Words[k].Start, more.Words[k].End = more.Words[k].Start+90, more.Words[k].End+90
				}
				if bad := d.seen(append(us, more), d.kind); bad != "" {
					t.Errorf("%q: %s", texts(us), bad)
				}
			}
		}
	}
}

func texts(us []messages.Utterance) (list []string) {
	for _, u := range us {
		list = append(list, u.Text)
	}
	return list
}
