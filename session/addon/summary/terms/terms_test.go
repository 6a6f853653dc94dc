package terms_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"steno/session/addon/summary/terms"
)

func TestStems(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"en", "Um, we've planted the gardens; I don't know 42 gardeners' tools!", "plant garden garden tool"},
		{"en", "O'Hara's twenty-one men met Ms. O’Neil at 5 o'clock; it's $5, 3.5% in the U.S.",
			"o'hara men met o'neil"},
		{"en-US", "the running runner's shoes", "run runner shoe"},
		{"", "houses and house", "hous hous"},
		{"fr", "l’argent de l'école n'est pas là", "argent écol"},
		{"de", "die Häuser und das Haus", "haus haus"},
		{"es", "los jardines y el jardín", "jardin jardin"},
		{"it", "dell'acqua nelle case", "acqua cas"},
		{"pl", "domy i dom", "domy dom"},
		{"zh", "我们讨论预算。", "我们 们讨 讨论 论预 预算"},
		{"ru", "дома", "дом"},
		{"en", "", ""},
		{"en", "' ’ -- 7 x", ""},
		{"en", "(write to [EMAIL_ADDRESS_1]'s owner, [NAME_1], at ## ##### #####)", "write owner"},
	} {
		got := terms.New().Stems(c.text, c.language)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s %q: %q, want %q", c.language, c.text, got, c.want)
		}
	}
}

// TestCaseAndMarks: words in capitals, and with combining marks, have the stems of the same words
// in small letters.
func TestCaseAndMarks(t *testing.T) {
	for _, c := range []struct{ language, small, capitals string }{
		{"en", "the gardener's naïve plan", "THE GARDENER'S NAÏVE PLAN"},
		{"fr", "l'été à l'école était brûlant", "L'ÉTÉ À L'ÉCOLE ÉTAIT BRÛLANT"},
		{"de", "die größten häuser für übermorgen", "DIE GRÖẞTEN HÄUSER FÜR ÜBERMORGEN"},
		{"es", "el jardín también está aquí", "EL JARDÍN TAMBIÉN ESTÁ AQUÍ"},
		{"tr", "ışık ılık iğne", "IŞIK ILIK İĞNE"},
		{"el", "ο δρόμος της οδού", "Ο ΔΡΟΜΟΣ ΤΗΣ ΟΔΟΥ"},
		{"pl", "żółte łodzie", "ŻÓŁTE ŁODZIE"},
	} {
		want := terms.New().Stems(c.small, c.language)
		for _, text := range []string{c.capitals, norm.NFD.String(c.small), norm.NFD.String(c.capitals)} {
			if got := terms.New().Stems(text, c.language); len(want) == 0 || !slices.Equal(got, want) {
				t.Errorf("%s %q: %q, want %q", c.language, text, got, want)
			}
		}
	}
	said := terms.New().Of("BÜCHER", "de")[0]
	if said.Word != "bücher" || said.Said != "BÜCHER" {
		t.Errorf("%+v", said)
	}
}

func TestPhrasesEndAtPunctuation(t *testing.T) {
	var ends []string
	for _, w := range terms.New().Of("red apples, green pears and don't' stop", "en") {
		if w.Ends {
			ends = append(ends, w.Word)
		}
	}
	if !slices.Equal(ends, []string{"apples"}) {
		t.Errorf("phrases end after %q", ends)
	}
	if said := terms.New().Of("called [NAME_1] yesterday", "en"); len(said) != 2 || !said[0].Ends {
		t.Errorf("a phrase goes on beyond what is hidden: %+v", said)
	}
}

// A word knows that a hyphen joins it to the one before.
func TestHyphens(t *testing.T) {
	var joined []string
	for _, w := range terms.New().Of("a state-of-the-art machine - well, re- use -it pre--war", "en") {
		if w.Hyphen {
			joined = append(joined, w.Word)
		}
	}
	if !slices.Equal(joined, []string{"of", "the", "art"}) {
		t.Errorf("hyphens before %q", joined)
	}
}

func FuzzOf(f *testing.F) {
	for _, s := range []string{"", "'", "’’", "a'", "l'", "\xff", "日", "日本語ab", "ก็ไม่", "x̂ x̂",
		strings.Repeat("é", 99)} {
		f.Add(s, "fr")
		f.Add(s, "tr")
	}
	f.Fuzz(func(t *testing.T, text, language string) {
		r := terms.New()
		all := r.Of(text, language)
		if !slices.Equal(all, r.Of(text, language)) {
			t.Error("not the same twice")
		}
		for _, w := range all {
			if w.Word == "" || len(w.Word) > 128 || !utf8.ValidString(w.Stem) {
				t.Errorf("%+v", w)
			}
		}
	})
}
