package summary_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"steno/messages"
	"steno/session/addon/summary"
)

// talk makes an utterance of each line, a word every 0.35 s and a pause of 0.7 s after each.
func talk(language string, lines ...string) []messages.Utterance {
	var us []messages.Utterance
	at := 0.0
	for _, l := range lines {
		u := messages.Utterance{Start: at, Language: language, Text: " " + l}
		for w := range strings.FieldsSeq(l) {
			u.Words = append(u.Words, messages.Word{Word: " " + w, Start: at, End: at + 0.3})
			at += 0.35
		}
		u.End = at - 0.05
		us = append(us, u)
		at += 0.7
	}
	return us
}

var review = []string{
	"hi everybody can you hear me",
	"um yeah i can hear you fine",
	"okay how was your weekend",
	"it was nice we went to the lake",
	"so so the reason for this call is the broken payment service",
	"since tuesday the payment service refuses every third card payment",
	"uh the customers see an error page and the payment is lost",
	"we lost about four thousand euros in payments since tuesday",
	"does anyone know what changed",
	"you know the database of the payment service was moved on tuesday morning",
	"the new database allows only fifty connections and the service opens eighty",
	"i mean that explains the error under load",
	"oh that makes sense",
	"then we decided to raise the limit of database connections to two hundred",
	"and the payment service gets an alarm when connections run out",
	"anna writes a report for the customers about the lost payments",
	"okay thanks a lot",
	"bye bye have a nice day",
}

func TestSummaryTellsTheSubject(t *testing.T) {
	got, ok := summary.Extract(talk("en", review...), summary.General)
	if !ok || !strings.Contains(got, "payment service") || !strings.Contains(got, "We decided to raise the limit") {
		t.Errorf("%q", got)
	}
	for _, chat := range []string{"hear", "weekend", "lake", "thanks", "bye", "sense"} {
		if strings.Contains(strings.ToLower(got), chat) {
			t.Errorf("small talk in %q", got)
		}
	}
	one, ok := summary.Extract(talk("en", review...), summary.Concise)
	if !ok || !strings.Contains(one, "payment") || strings.Count(one, ".") != 1 {
		t.Errorf("concise: %q", one)
	}
}

func TestKinds(t *testing.T) {
	us := talk("en", review...)
	general, _ := summary.Extract(us, summary.General)
	bullets, _ := summary.Extract(us, summary.Bullets)
	if unknown, _ := summary.Extract(us, "long"); unknown != general {
		t.Errorf("unknown kind: %q", unknown)
	}
	if strings.TrimPrefix(strings.ReplaceAll(bullets, "\n- ", " "), "- ") != general ||
		strings.Count(bullets, "- ") != 4 {
		t.Errorf("%q", bullets)
	}
}

func TestTidySentences(t *testing.T) {
	for said, want := range map[string]string{
		"um so i i think we we should um you know wait":       "I think we should wait.",
		"okay and then the the train i mean the bus was late": "The train the bus was late.",
		"Well, uh, I'm, you know, happy":                      "I'm, happy.",
		"do you know what kind of tree it is":                 "Do you know what kind of tree it is?",
		"it was very very wh- cold and":                       "It was very very cold.",
		"what we need is a plan":                              "What we need is a plan.",
		"so that is how i did it":                             "So that is how I did it.",
		"i want to i want to leave":                           "I want to leave.",
		"call five five five one":                             "Call five five five one.",
		"It works!":                                           "It works!",
		"yes":                                                 "",
		"um uh":                                               "",
		"...":                                                 "",
	} {
		if got, ok := summary.Extract(talk("en", said), summary.General); got != want || ok != (want != "") {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// What has no content is in a summary only where nothing else is, or all is.
func TestSentencesWithoutContent(t *testing.T) {
	few := []string{"Mm-hmm.", "You.", "Is it?", "The bridge closes in March.", "Uh-huh.", "So there.",
		"Repairs cost $1,462.50."}
	if got, want := first(summary.Extract(talk("en", few...), summary.General)),
		"The bridge closes in March. Repairs cost $1,462.50."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := first(summary.Extract(talk("en", "You.", "Is it?", "So there.", "We are."), summary.General)); got == "" {
		t.Error("nothing is left of talk without content")
	}
	if got := first(summary.Extract(talk("en", "Mm-hmm.", "Uh-huh."), summary.General)); got != "" {
		t.Errorf("%q says nothing", got)
	}
}

func first(text string, _ bool) string { return text }

func TestNothingSaid(t *testing.T) {
	if got, ok := summary.Extract(nil, summary.General); ok || got != "" {
		t.Errorf("%q, %v", got, ok)
	}
}

func TestShortTalkIsItsOwnSummary(t *testing.T) {
	got, _ := summary.Extract(talk("en", "the roof leaks", "we call a roofer", "he comes on monday"), summary.General)
	if got != "The roof leaks. We call a roofer. He comes on monday." {
		t.Errorf("%q", got)
	}
}

func TestSaidTwiceStandsOnce(t *testing.T) {
	lines := []string{"the roof of the school leaks", "the roof of the school leaks", "the roof of the school leaks",
		"a roofer repairs it next monday"}
	got, _ := summary.Extract(talk("en", lines...), summary.General)
	if strings.Count(got, "leaks") != 1 || !strings.Contains(got, "roofer") {
		t.Errorf("%q", got)
	}
}

func TestOtherLanguages(t *testing.T) {
	for language, lines := range map[string][]string{
		"de": {"hallo zusammen", "ähm das dach der schule ist undicht", "wir haben das dach der schule prüfen lassen",
			"das dach kostet zehntausend euro", "danke", "tschüss", "ja"},
		"fr": {"bonjour", "euh le toit de l'école fuit", "nous nous occupons du toit de l'école",
			"le toit coûte dix mille euros", "merci", "oui", "au revoir"},
		"pl": {"tak", "dach szkoły przecieka", "sprawdziliśmy dach szkoły", "dach kosztuje dziesięć tysięcy", "tak",
			"dobrze", "dziękuję"},
		"zh": {"你好", "学校的屋顶漏水", "我们检查了学校的屋顶", "屋顶需要一万欧元", "好的", "谢谢", "再见"},
	} {
		got, ok := summary.Extract(talk(language, lines...), summary.Concise)
		if subject := map[string]string{"de": "dach", "fr": "toit", "pl": "ach", "zh": "屋顶"}[language]; !ok ||
			!strings.Contains(strings.ToLower(got), subject) {
			t.Errorf("%s: %q", language, got)
		}
		if strings.Contains(got, "ähm") || strings.Contains(got, "euh") || strings.HasSuffix(got, ".") ==
			(language == "zh") {
			t.Errorf("%s: %q", language, got)
		}
	}
}

// long is about four hours of speech.
func long(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("subject%d item%d needs a thing%d with part%d in region%d soon", i%17, i%31, i%401, i,
			i/100)
	}
	return lines
}

func TestHoursAreBounded(t *testing.T) {
	got, ok := summary.Extract(talk("en", long(4000)...), summary.Bullets)
	if lines := strings.Count(got, "- "); !ok || lines != 8 {
		t.Errorf("%d lines", lines)
	}
	endless, _ := summary.Extract(talk("en", strings.Repeat("word salad number ", 20000)), summary.Concise)
	if len(endless) > 1000 {
		t.Errorf("one sentence of %d bytes", len(endless))
	}
}

func TestSummaryIsBoundedAndTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom(strings.Fields("um uh so okay the roof school leaks you know i mean plan - 7 dach 屋顶 yes? no. x"))
		lines := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(word, 0, 12).Draw(t, "words"), " ")
		}), 0, 40).Draw(t, "lines")
		language := rapid.SampledFrom([]string{"", "en", "de", "zh", "xx"}).Draw(t, "language")
		us := talk(language, lines...)
		for _, kind := range []string{summary.General, summary.Bullets, summary.Concise} {
			got, ok := summary.Extract(us, kind)
			again, _ := summary.Extract(us, kind)
			if got != again || ok != (got != "") {
				t.Fatalf("%v %q, then %q", ok, got, again)
			}
			if n := strings.Count(got, "\n"); kind == summary.Bullets && n > 7 || kind != summary.Bullets && n > 0 {
				t.Fatalf("%s: %q", kind, got)
			}
		}
	})
}

func FuzzExtract(f *testing.F) {
	f.Add("um you know i mean kind of", "en")
	f.Add("- ' - \xff ?? i'", "de")
	f.Add("wh- wh- . , okay okay", "")
	f.Add("漢字 かな。", "ja")
	f.Fuzz(func(t *testing.T, text, language string) {
		us := talk(language, strings.Split(text, "\n")...)
		for _, kind := range []string{summary.Bullets, summary.Concise} {
			got, ok := summary.Extract(us, kind)
			if again, _ := summary.Extract(us, kind); got != again || ok != (got != "") {
				t.Errorf("%q, then %q", got, again)
			}
		}
	})
}

func BenchmarkFourHours(b *testing.B) {
	us := talk("en", long(4000)...)
	for b.Loop() {
		summary.Extract(us, summary.General)
	}
}

func TestHiddenWordsStayInTheirSentences(t *testing.T) {
	for _, line := range []string{
		"My name is ### ##### and I live at ## ##### ######.",
		"Call ### ### at ###-###-####.",
		"We asked ### ### we asked ### ### about the contract.",
		"Nom de ### ###.",
		"Write to [NAME_1] at [EMAIL_ADDRESS_1].",
	} {
		for _, language := range []string{"en", "fr"} {
			if got, _ := summary.Extract(talk(language, line), summary.Concise); got != line {
				t.Errorf("%s: %q, want %q", language, got, line)
			}
		}
	}
}
