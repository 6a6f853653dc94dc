package align

import (
	"slices"
	"strings"
	"testing"
)

// english returns the speaker of the shared pool, with Debian's dictionary.
func english(t testing.TB) speaker {
	t.Helper()
	return shared(t).speaker
}

// all returns the texts that a word may be said with.
func all(s spoken) []string {
	out := ways{nil}
	for _, p := range s.parts {
		out = out.then(p)
	}
	var texts []string
	for _, w := range out {
		texts = append(texts, strings.Join(w, " "))
	}
	return texts
}

func TestReadings(t *testing.T) {
	s := english(t)
	for text, want := range map[string][]string{
		"Mr.": {"mister"}, "Dr.": {"doctor"}, "no.": {"number"}, "don't": {"don't"}, "Don’t,": {"don't"},
		"O'Brien": {"o'brien"}, "“Yes,”": {"yes"},
		"1462": {"fourteen sixty two", "one thousand four hundred sixty two",
			"one thousand four hundred and sixty two", "one four six two"},
		"1905": {"nineteen oh five"},
		"1900": {"nineteen hundred"},
		"2005": {"two thousand five", "two thousand and five", "twenty oh five"},
		"$5":   {"five dollars", "five"},
		"$1":   {"one dollar"},
		"$3.50": {"three fifty", "three dollars fifty", "three dollars and fifty cents",
			"three point five zero dollars"},
		"$1.5M":         {"one point five million dollars", "one point five million"},
		"£20":           {"twenty pounds"},
		"twenty-one":    {"twenty-one"},
		"U.S.":          {"u.s.", "u. s."},
		"USA":           {"usa", "u. s. a."},
		"3.5%":          {"three point five percent", "three point five per cent"},
		"0.05":          {"zero point zero five", "point oh five"},
		".5":            {"point five"},
		"10:30":         {"ten thirty"},
		"10:05":         {"ten oh five"},
		"10:00":         {"ten", "ten o'clock"},
		"2nd":           {"second"},
		"21st":          {"twenty first"},
		"12th":          {"twelfth"},
		"20th":          {"twentieth"},
		"1990s":         {"nineteen nineties"},
		"'90s":          {"nineties"},
		"1,000":         {"one thousand"},
		"1,234,567":     {"one million two hundred thirty four thousand five hundred sixty seven"},
		"007":           {"oh oh seven", "zero zero seven"},
		"-5":            {"minus five"},
		"9/11":          {"nine eleven"},
		"1/2":           {"half", "one half"},
		"½":             {"half"},
		"24/7":          {"twenty four seven"},
		"555-1234":      {"five five five one two three four"},
		"5km":           {"five kilometers"},
		"10am":          {"ten a. m."},
		"PTK-4":         {"p. t. k. four"},
		"cold-hearted,": {"cold hearted"},
		"amazon.com":    {"amazon dot com"},
		"AT&T":          {"a. t. and t"},
		"café":          {"cafe"},
		"I":             {"i"},
		"4":             {"four", "fourth"},
		"100":           {"one hundred"},
		"105":           {"one hundred five", "one hundred and five", "one oh five"},
	} {
		got := s.speak([]string{text})[0]
		texts := all(got)
		for _, w := range want {
			if got.foreign || !slices.Contains(texts, w) {
				t.Errorf("%q is said %q (%v), not %q", text, texts, got.foreign, w)
			}
		}
	}
}

// "$5 million" is "five million dollars".
func TestMoneyBeforeAScale(t *testing.T) {
	said := english(t).speak([]string{"$5", "million", "million"})
	if first := all(said[0]); !slices.Contains(first, "five") {
		t.Errorf("%q", first)
	}
	if second := all(said[1]); !slices.Contains(second, "million dollars") || !slices.Contains(second, "million") {
		t.Errorf("%q", second)
	}
	if third := all(said[2]); !slices.Equal(third, []string{"million"}) {
		t.Errorf("%q", third)
	}
}

func TestSilentAndForeignWords(t *testing.T) {
	said := english(t).speak([]string{"—", "", "...", "\"", "東京", "Привет", "café—東京"})
	for i, foreign := range []bool{false, false, false, false, true, true, true} {
		if s := said[i]; s.foreign != foreign || len(s.parts) > 0 != (i == 6) {
			t.Errorf("word %d: %+v", i, s)
		}
	}
}

func TestSounds(t *testing.T) {
	s := english(t)
	for word, want := range map[string]string{
		"hub": "HH AH B", "trogdor's": "", "dashwood's": "", "cat's": "K AE T S", "horse's": "HH AO R S AH Z",
		"table'd": "T EY B AH L D", "walkin'": "W AO K IH N",
	} {
		got := s.sounds(word)
		if len(got) == 0 || want != "" && !slices.Contains(got, want) {
			t.Errorf("%q sounds %q, want %q", word, got, want)
		}
	}
}
