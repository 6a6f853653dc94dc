package sentences

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"steno/messages"
)

// said is an utterance whose words take 0.2 s each, "|" is a pause of one second. It begins at
// start.
func said(language, text string, start float64) messages.Utterance {
	u := messages.Utterance{Start: start, Language: language}
	at := start
	for field := range strings.FieldsSeq(text) {
		if field == "|" {
			at++
			continue
		}
		u.Words = append(u.Words, messages.Word{Word: " " + field, Start: at, End: at + 0.2, Confidence: 0.5})
		u.Text += " " + field
		at += 0.2
	}
	u.End = at
	return u
}

func texts(ss []Sentence) []string {
	all := make([]string, len(ss))
	for i, s := range ss {
		all[i] = s.Text
	}
	return all
}

// TestMarks joins sentences, which " / " separates, and expects to find the same sentences.
func TestMarks(t *testing.T) {
	for _, c := range []struct{ language, text string }{
		{"en", "I live in the U.S. / It is big."},
		{"en", "Dr. Smith of the U.S. Army paid 3.5 dollars. / J. R. Smith left at 5 p.m. / Then he slept."},
		{"en", `He said "go." / Then left. / "Really?" she asked. / Yes! / no? / Maybe... / I don't know.`},
		{"en", "See e.g. Smith vs. Jones, etc. / And Apple Inc. / The end."},
		{"en", "We met at no. 5 Main St. yesterday. / No. / That is wrong. / I am. / He is Mr. Brown Jr. and so on."},
		{"en", "so we went. / and then we left. / i am here. / what? / ok"},
		{"en", "Is it vitamin C? / It is plan B. / Then I went. / Mt. Everest is high. / The year is 2020. / Five people came. / It was 5. / Then 6."},
		{"en", "1. First do this. / 2. Then do that."},
		{"en", "It costs $1,234.56, i.e. too much. / At 5 p.m. Eastern we meet. / He holds a Ph.D. in law."},
		{"en", "Wait . . . what ? / Yes !"},
		{"en", "So... that was it. / (He left.) / She stayed."},
		{"en", "Look at www.example.org. / Ask anna@example.org. / Call 555-0123. / It rose by 3.5%. / She paid $1,462.50. / Mr. O'Neil's flat is No. 7."},
		{"de", "Am 5. Mai kam Hr. Maier, d.h. er ging. / Das war es. / Er kam um 8 Uhr."},
		{"fr", "Bonjour M. Dupont ! / Ça va ? / « Oui. » / Bien."},
		{"es", "¿Qué tal? / ¡Muy bien! / El Sr. López llegó."},
		{"hi", "मैं ठीक हूँ। / आप कैसे हैं?"},
		{"ar", "كيف حالك؟ / أنا بخير."},
		{"el", "Τι κάνεις; / Καλά."},
		{"my", "မင်္ဂလာပါ။ / ကောင်းပါတယ်။"},
		{"bo", "བཀྲ་ཤིས་བདེ་ལེགས། / ཐུགས་རྗེ་ཆེ།"},
		{"km", "សួស្តី។ / អរគុណ។"},
		{"am", "ሰላም። / እንዴት ነህ፧ / ደህና።"},
	} {
		want := strings.Split(c.text, " / ")
		if got := texts(Split([]messages.Utterance{said(c.language, strings.ReplaceAll(c.text, " / ", " "),
			0)})); !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", c.language, got, want)
		}
	}
}

func TestWordOfSeveralSentences(t *testing.T) {
	u := messages.Utterance{End: 6, Language: "zh", Text: " 你好。「再见！」谢谢",
		Words: []messages.Word{{Word: " 你好。「再见！」谢谢", End: 5.5}}}
	got := Split([]messages.Utterance{u})
	if want := []string{"你好。", "「再见！」", "谢谢"}; !slices.Equal(texts(got), want) {
		t.Fatalf("got %q, want %q", texts(got), want)
	}
	if got[0].Start != 0 || got[0].End != 2 || got[1].Start != 2 || got[2].End != 5.5 {
		t.Errorf("times are not shared by length: %+v", got)
	}
}

func TestPausesWithoutMarks(t *testing.T) {
	first, second, third := said("en", "so we went home | and slept", 0), said("en", "the next day came", 2.5),
		said("en", "and went", 3.4)
	got := texts(Split([]messages.Utterance{third, first, second}))
	if want := []string{"so we went home", "and slept", "the next day came and went"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSentenceOverCutUtterances(t *testing.T) {
	for _, c := range []struct {
		next string
		at   float64
		want []string
	}{
		{"home. Then slept.", 0.6, []string{"So we went home.", "Then slept."}},
		{"I think.", 0.65, []string{"So we went I think."}},
		{"Anna came.", 0.65, []string{"So we went Anna came."}},
		{"Anna came.", 1.0, []string{"So we went", "Anna came."}},
		{"home.", 4, []string{"So we went", "home."}},
	} {
		got := texts(Split([]messages.Utterance{said("en", "So we went", 0), said("en", c.next, c.at)}))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s at %v: got %q, want %q", c.next, c.at, got, c.want)
		}
	}
}

// After a comma at the end of an utterance the sentence continues, though the next utterance has a
// capital.
func TestCommaAtEndOfUtterance(t *testing.T) {
	for at, want := range map[float64][]string{
		1.5: {"When it rains, Anna stays in.", "She reads."},
		3:   {"When it rains,", "Anna stays in.", "She reads."},
	} {
		us := []messages.Utterance{said("en", "When it rains,", 0), said("en", "Anna stays in.", at),
			said("en", "She reads.", at+1)}
		if got := texts(Split(us)); !slices.Equal(got, want) {
			t.Errorf("at %v: got %q, want %q", at, got, want)
		}
	}
}

func TestAbbreviations(t *testing.T) {
	for _, c := range []struct {
		language, words     string
		abbreviated, before bool
	}{
		{"en", "Mr. dr. e.g. vs. J.", true, true},
		{"de", "Hr. z.B.", true, true},
		{"en", "p.m. U.S. Ph.D. Inc. etc. b.", true, false},
		{"en", "No. fig.", false, true},
		{"en", "I. house. 5. 3.5. example.org. no Mr U.S ...", false, false},
	} {
		for word := range strings.FieldsSeq(c.words) {
			if got := Abbreviated(c.language, word); got != c.abbreviated && word != "I." {
				t.Errorf("%s is an abbreviation: %v", word, got)
			}
			if got := Leads(c.language, word); got != c.before {
				t.Errorf("%s belongs to the next word: %v", word, got)
			}
		}
	}
}

func TestEnds(t *testing.T) {
	u := said("en", "Mr. Ito of the U.S. team came at 5 p.m. It rained", 0)
	var got []string
	for i, ends := range Ends(u.Words, "en") {
		if ends {
			got = append(got, u.Words[i].Word)
		}
	}
	if !slices.Equal(got, []string{" p.m."}) {
		t.Errorf("sentences end with %q", got)
	}
	if Ends(nil, "en") == nil || len(Ends(nil, "en")) > 0 {
		t.Error("no words end sentences")
	}
}

func TestNeverAcrossSpeakersChannelsLanguages(t *testing.T) {
	zero, one := 0, 1
	us := []messages.Utterance{said("en", "and so", 0), said("en", "we go", 0.4), said("en", "to see", 0.8),
		said("fr", "oui", 1.2)}
	us[0].Speaker, us[1].Speaker, us[2].Speaker = &zero, &one, &one
	us[2].Channel = 1
	got := Split(us)
	if want := []string{"and so", "we go", "to see", "oui"}; !slices.Equal(texts(got), want) {
		t.Fatalf("got %q, want %q", texts(got), want)
	}
	if *got[1].Speaker != 1 || got[2].Channel != 1 || got[3].Language != "fr" {
		t.Errorf("whose sentences they are is lost: %+v", got)
	}
}

func TestUtteranceWithoutWords(t *testing.T) {
	got := Split([]messages.Utterance{{Start: 1, End: 3, Text: " One. Two."}})
	if want := []string{"One.", "Two."}; !slices.Equal(texts(got), want) || got[0].End != 2 || got[1].End != 3 {
		t.Errorf("got %+v, want %q", got, want)
	}
	if got := Split(nil); len(got) != 0 {
		t.Errorf("nothing said: got %+v", got)
	}
}

// utterances draws any utterances: words of marks, letters and digits, disorderly times.
func utterances(t *rapid.T) []messages.Utterance {
	word := rapid.OneOf(
		rapid.StringMatching(`[a-zA-Z]{1,8}[.?!,"]{0,2}`),
		rapid.SampledFrom([]string{"Dr.", "U.S.", "3.5", "5.", "\"", "。", "再见！谢谢", "...", "I", "मैं।", " ", "",
			"e\u0301", "\xff"}))
	one := rapid.Custom(func(t *rapid.T) messages.Utterance {
		u := messages.Utterance{
			Start:    rapid.Float64Range(0, 60).Draw(t, "start"),
			Channel:  rapid.IntRange(0, 1).Draw(t, "channel"),
			Language: rapid.SampledFrom([]string{"en", "zh", "de", ""}).Draw(t, "language"),
		}
		if speaker := rapid.IntRange(-1, 1).Draw(t, "speaker"); speaker >= 0 {
			u.Speaker = &speaker
		}
		at := u.Start
		for _, text := range rapid.SliceOfN(word, 0, 60).Draw(t, "words") {
			w := messages.Word{Word: " " + text, Start: at + rapid.Float64Range(-0.1, 2).Draw(t, "pause")}
			w.End = w.Start + rapid.Float64Range(0, 1).Draw(t, "length")
			u.Words, u.Text, at = append(u.Words, w), u.Text+w.Word, w.End
		}
		u.End = at
		return u
	})
	return rapid.SliceOfN(one, 0, 6).Draw(t, "utterances")
}

// joined returns the words of each voice, without white space.
func joined(us []messages.Utterance) map[voice]string {
	all := map[voice]string{}
	for _, u := range us {
		for _, w := range u.Words {
			all[voiceOf(u)] += strings.Join(strings.Fields(w.Word), "")
		}
	}
	return all
}

func equalTexts(a, b map[voice]string) bool {
	for v := range a {
		if a[v] != b[v] {
			return false
		}
	}
	return true
}

func TestSplitKeepsAllWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		us := utterances(t)
		var back []messages.Utterance
		for _, s := range Split(us) {
			u := messages.Utterance{Channel: s.Channel, Speaker: s.Speaker, Words: s.Words}
			back = append(back, u)
			if s.Text == "" || s.Text != strings.TrimSpace(s.Text) || len([]rune(s.Text)) > 600 && len(s.Words) > 1 {
				t.Fatalf("bad text %q", s.Text)
			}
		}
		if !equalTexts(joined(byStart(us)), joined(back)) {
			t.Fatalf("words were lost or moved:\n%v\n%v", joined(byStart(us)), joined(back))
		}
	})
}

func FuzzSplit(f *testing.F) {
	f.Add("Dr. Who? Yes... \"No.\" 5. 5 p.m. 再见！谢谢 e.g.", "en", 0.5)
	f.Add("\xff\x00。」」..;", "el", -1.0)
	f.Fuzz(func(t *testing.T, text, language string, step float64) {
		u := messages.Utterance{Language: language, Text: text, End: step}
		for i, field := range strings.Fields(text) {
			u.Words = append(u.Words, messages.Word{Word: " " + field, Start: float64(i) * step,
				End: float64(i+1) * step})
		}
		for _, us := range [][]messages.Utterance{{u}, {u, u}, {{Text: text, Language: language}}} {
			got := strings.Join(texts(Split(us)), "")
			want := strings.Repeat(strings.Join(strings.Fields(text), ""), len(us))
			if strings.Join(strings.Fields(got), "") != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	})
}
