package spelling

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"steno/messages"
)

func speller(dictionary map[string][]string) *Speller {
	return New(messages.CustomSpellingConfig{SpellingDictionary: dictionary})
}

var dictionary = map[string][]string{
	"SQL":            {"sequel", "S Q L"},
	"Gettleman":      {"gettleman", "kettle man"},
	"Data-Science":   {"data science"},
	"Data":           {"data"},
	"gnocchi":        {"nyokey"},
	"iPhone":         {"iphone", "eye phone"},
	"C++":            {"c plus plus", "see++"},
	"New York City":  {"NYC"},
	"SQL Server":     {"server"},
	"Café":           {"cafe\u0301", "coffee house"},
	"Straße":         {"strasse"},
	"%":              {"percent"},
	"it's":           {"its"},
	"kettle":         {"cattle"},
	"東京":             {"tokyo"},
	"a b":            {"x"},
	"Kettle Man Ltd": {"kettle man limited company"},
	"Inc.":           {"ink"},
	"21":             {"twenty one"},
	"Lawry's":        {"lowry's"},
	"USA":            {"U.S."},
	"":               {"um"},
	" ":              {"uh"},
}

func TestText(t *testing.T) {
	s := speller(dictionary)
	for _, c := range []struct{ name, text, want string }{
		{"one word", "we use sequel here", "we use SQL here"},
		{"any case", "we use SEQUEL and SeQuEl", "we use SQL and SQL"},
		{"punctuation", "(sequel), \"sequel\"!", "(SQL), \"SQL\"!"},
		{"whole words", "sequels presequel", "sequels presequel"},
		{"possessive", "Sequel's way, a kettle man's, NYOKEY’S, it's. It’s",
			"SQL's way, a Gettleman's, gnocchi’S, it's. It’s"},
		{"possessive in the source", "Lowry's sauce, Lowry's, not Lowry or Lowrys",
			"Lawry's sauce, Lawry's, not Lowry or Lowrys"},
		{"hyphen or space", "Twenty-one, twenty one; data-science - data - science",
			"21, 21; Data-Science - Data - science"},
		{"full stop of a source", "the U.S. team in the U.S. The U.S. is big, in the U.S.",
			"the USA team in the USA. The USA is big, in the USA."},
		{"hyphen is a boundary", "sequel-like", "SQL-like"},
		{"several words", "i like data science.", "i like Data-Science."},
		{"longest first", "data data science data", "Data Data-Science Data"},
		{"not across marks", "s q, l", "s q, l"},
		{"any white space", "data \t\u00a0 science", "Data-Science"},
		{"to several words", "in nyc now", "in New York City now"},
		{"longest wins, then shorter", "kettle man limited kettle man limited company",
			"Gettleman limited Kettle Man Ltd"},
		{"no chains", "cattle man", "kettle man"},
		{"target stays", "a SQL server, a server", "a SQL server, a SQL Server"},
		{"sentence raises", "Nyokey is good. Nyokey! I eat Nyokey", "Gnocchi is good. Gnocchi! I eat gnocchi"},
		{"sentence without capital", "nyokey is good", "gnocchi is good"},
		{"all capitals", "NYOKEY AND NYOKEY", "Gnocchi AND gnocchi"},
		{"own capitals", "Eye phone", "iPhone"},
		{"marks in source and target", "c plus plus, see++ 5 percent", "C++, C++ 5 %"},
		{"marks once", "kettle ink. kettle ink, kettle Inc. tokyo東京", "kettle Inc. kettle Inc., kettle Inc. 東京東京"},
		{"composed", "caf\u00e9 and CAFE\u0301", "Café and Café"},
		{"folded", "Strasse straße", "Straße Straße"},
		{"apostrophe", "Its it’s", "It's it’s"},
		{"no spaces", "tokyo", "東京"},
		{"empty targets do nothing", "um uh", "um uh"},
		{"no text", "", ""},
	} {
		if got := s.Text(c.text, ""); got != c.want {
			t.Errorf("%s: %q becomes %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

// utterance returns an utterance in which a word starts each second and lasts 0.9 seconds.
func utterance(words ...string) messages.Utterance {
	u := messages.Utterance{Confidence: 0.8, Language: "en"}
	for i, w := range words {
		at := float64(i)
		u.Words = append(u.Words, messages.Word{Word: w, Start: at, End: at + 0.9, Confidence: 0.5 + float64(i%5)/10})
	}
	u.Text = messages.TextOf(u.Words)
	u.End = float64(len(words)) - 0.1
	return u
}

func written(u messages.Utterance) string {
	var out strings.Builder
	for _, w := range u.Words {
		fmt.Fprintf(&out, "[%s %.2f-%.2f %.2f]", w.Word, w.Start, w.End, w.Confidence)
	}
	return out.String()
}

func TestApply(t *testing.T) {
	s := speller(dictionary)
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{" use", " sequel."}, "[ use 0.00-0.90 0.50][ SQL. 1.00-1.90 0.60]"},
		{[]string{" data", " science,", " now"}, "[ Data-Science, 0.00-1.90 0.55][ now 2.00-2.90 0.70]"},
		{[]string{" in", " NYC."},
			"[ in 0.00-0.90 0.50][ New 1.00-1.24 0.60][ York 1.24-1.54 0.60][ City. 1.54-1.90 0.60]"},
		{[]string{" c", " plus", " plus"}, "[ C++ 0.00-2.90 0.60]"},
		{[]string{" tokyo-nyokey"}, "[ 東京-gnocchi 0.00-0.90 0.50]"},
		{[]string{" x", "\u00a0"}, "[ a 0.00-0.45 0.50][ b 0.45-0.90 0.50][\u00a0 1.00-1.90 0.60]"},
		{[]string{" um", " so"}, "[ um 0.00-0.90 0.50][ so 1.00-1.90 0.60]"},
	} {
		u := utterance(c.words...)
		before := written(u)
		got := s.Apply(u)
		if written(got) != c.want {
			t.Errorf("%q becomes\n%s, want\n%s", c.words, written(got), c.want)
		}
		if got.Text != messages.TextOf(got.Words) || got.Text != s.Text(u.Text, "") {
			t.Errorf("text %q, words %q, alone %q", got.Text, messages.TextOf(got.Words), s.Text(u.Text, ""))
		}
		if written(u) != before {
			t.Errorf("the utterance given became %s", written(u))
		}
	}
}

func TestSameNumberOfWordsKeepsTimes(t *testing.T) {
	s := speller(map[string][]string{"Jane Doe": {"chain dough"}})
	if got, want := written(s.Apply(utterance(" chain", " dough"))),
		"[ Jane 0.00-0.90 0.55][ Doe 1.00-1.90 0.55]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestUnknownConfidence(t *testing.T) {
	u := utterance(" data", " science")
	u.Words[0].Confidence, u.Words[1].Confidence = 0, 0.4
	if got := speller(dictionary).Apply(u).Words[0].Confidence; got != 0.4 {
		t.Errorf("mean %v of what is known, want 0.4", got)
	}
}

func TestUtteranceWithoutWords(t *testing.T) {
	if got := speller(dictionary).Apply(messages.Utterance{Text: " a sequel"}); got.Text != " a SQL" || got.Words !=
		nil {
		t.Errorf("got %+v", got)
	}
}

// Of several targets the first is taken, whatever the order of the map's iteration.
func TestTies(t *testing.T) {
	many := map[string][]string{}
	for i := range 50 {
		many[fmt.Sprintf("T%02d", i)] = []string{"same", "Same"}
	}
	for range 5 {
		if got := speller(maps.Clone(many)).Text("same", ""); got != "T00" {
			t.Fatalf("got %s, want T00", got)
		}
	}
}

func TestLimits(t *testing.T) {
	long := strings.Repeat("a", maxBytes+1)
	many := map[string][]string{
		long: {"one"}, "Two": {long, "two"}, "Three": {strings.Repeat("b ", 20)}, "Four": {"--", "", " "},
		"Five": append(slices.Repeat([]string{"none"}, maxSources), "five"), "\xff": {"six"}, "Seven": {"\xff"},
	}
	s := speller(many)
	for _, text := range []string{"one", long, strings.Repeat("b ", 20), "--", "five", "six", "\xff", "-- a"} {
		if got := s.Text(text, ""); got != text {
			t.Errorf("%.20q became %q", text, got)
		}
	}
	if got := s.Text("two", ""); got != "Two" {
		t.Errorf("two became %q", got)
	}
}

// TestCaseOfLanguages finds spellings in capitals and small letters as languages pair them.
func TestCaseOfLanguages(t *testing.T) {
	for _, c := range []struct{ language, source, target, in, want string }{
		{"tr", "ışık", "lamba", "Işık IŞIK ışık isik", "Lamba lamba lamba isik"},
		{"tr", "izmir", "Smyrna", "İzmir İZMİR I\u0307zmir IZMIR", "Smyrna Smyrna Smyrna IZMIR"},
		{"tr", "neden", "ince", "Neden geldi. Neden", "İnce geldi. İnce"},
		{"en", "izmir", "Smyrna", "IZMIR İzmir", "Smyrna Smyrna"},
		{"de", "grosse", "kleine", "Große GROSSE GROẞE", "Kleine kleine kleine"},
		{"el", "οδός", "λεωφόρος", "ΟΔΟΣ οδος, Οδός", "Λεωφόρος λεωφόρος, λεωφόρος"},
		{"fr", "ete", "hiver", "e\u0301te\u0301 été", "e\u0301te\u0301 été"},
		{"vi", "hà nội", "Hanoi", "Hà Nội HA\u0300 NÔ\u0323I", "Hanoi Hanoi"},
	} {
		u := messages.Utterance{Language: c.language, Text: c.in}
		if got := New(messages.CustomSpellingConfig{SpellingDictionary: map[string][]string{c.target: {c.source}}}).Apply(u).Text; got != c.want {
			t.Errorf("%s: %q for %q in %q, want %q", c.language, got, c.source, c.in, c.want)
		}
	}
}

// TestParticles finds spellings within words that languages write together with a particle.
func TestParticles(t *testing.T) {
	for _, c := range []struct{ language, source, target, in, want string }{
		{"fr", "orsey", "Orsay", "Le musée d'orsey, l’Orsey.", "Le musée d'Orsay, l’Orsay."},
		{"it", "erkole", "Ercole", "dell'erkole e dall’Erkole", "dell'Ercole e dall’Ercole"},
		{"tr", "izmit", "İzmit", "İZMİT'ten izmit’e", "İzmit'ten İzmit’e"},
		{"ko", "현다", "현대", "현다에서 현다는 현다", "현대에서 현대는 현대"},
		{"he", "חיפה", "Haifa", "בחיפה וחיפה חיפה", "בHaifa וHaifa Haifa"},
		{"ar", "دبى", "دبي", "ودبى في دبى", "ودبي في دبي"},
		{"fr-CA", "s", "esse", "s'est s", "s'est esse"},
		// Elsewhere an apostrophe is part of a word, and no particle is cut off.
		{"en", "neil", "Neal", "O'Neil Neil's", "O'Neil Neal's"},
		{"ko", "은행", "銀行", "은행은 은행나무", "銀行은 은행나무"},
		{"de", "s", "esse", "geht's", "geht's"},
	} {
		u := messages.Utterance{Language: c.language, Text: c.in}
		if got := speller(map[string][]string{c.target: {c.source}}).Apply(u).Text; got != c.want {
			t.Errorf("%s: %q for %q in %q, want %q", c.language, got, c.source, c.in, c.want)
		}
	}
}
