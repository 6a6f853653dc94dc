package chapters_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"steno/messages"
	"steno/session/addon/chapters"
	"steno/session/addon/sentences"
)

func TestNothingSaid(t *testing.T) {
	if got := chapters.Split(nil); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestShortTalkIsOneChapter(t *testing.T) {
	var s speech
	s.say("the roof of the school leaks")
	s.say("my dog likes bones")
	got := chapters.Split(s.us)
	if len(got) != 1 || got[0].Start != 0 || got[0].End != s.us[1].End || len(got[0].Sentences) != 2 ||
		got[0].Summary != "The roof of the school leaks. My dog likes bones." {
		t.Errorf("%+v", got)
	}
}

func TestChapterTellsItsSubject(t *testing.T) {
	var s speech
	for _, talk := range talks(t)[:3] { // bees, bread, budget
		for _, l := range talk {
			s.say(l)
		}
	}
	got := chapters.Split(s.us)
	if len(got) != 3 {
		t.Fatalf("%d chapters", len(got))
	}
	for i, subject := range []string{"hive", "dough", "budget"} {
		c := got[i]
		if !slices.ContainsFunc(c.Keywords, func(w string) bool { return strings.Contains(w, subject) }) ||
			!strings.Contains(c.Text, subject) {
			t.Errorf("%s: keywords %q", subject, c.Keywords)
		}
		first := []rune(c.Keywords[0])
		if !strings.HasPrefix(strings.ToLower(c.Headline), string(first)) || c.Headline[0] > 'Z' ||
			strings.Count(c.Headline, " and ") != 1 {
			t.Errorf("headline %q of %q", c.Headline, c.Keywords)
		}
		if n := len(strings.Fields(c.Gist)); n < 2 || n > 8 || !strings.Contains(c.Text, c.Gist) {
			t.Errorf("gist %q", c.Gist)
		}
		if n := strings.Count(c.Summary, "."); n < 3 || n > 8 {
			t.Errorf("summary %q", c.Summary)
		}
	}
}

// Sentences without content belong to the side of the silence they are on.
func TestCutsAtTheSilence(t *testing.T) {
	for _, before := range []int{0, 1, 2, 3} {
		var s speech
		all, at := talks(t), 0.0
		for _, l := range all[0] {
			s.say(l)
		}
		for i, l := range []string{"so that is how it is", "yes okay", "well then"} {
			if i == before {
				s.at += 4
				at = s.at
			}
			s.say(l)
		}
		if before == 3 {
			s.at += 4
			at = s.at
		}
		for _, l := range all[10] {
			s.say(l)
		}
		if got := chapters.Split(s.us); len(got) != 2 || got[1].Start != at {
			t.Errorf("%d sentences before the silence: %d chapters cut at %v, want %.2f", before, len(got),
				found(got), at)
		}
	}
}

// TestOneSubjectIsOneChapter allows few of the talks a chapter of their own for a side of their
// subject.
func TestOneSubjectIsOneChapter(t *testing.T) {
	var divided []int
	for i, talk := range talks(t) {
		var s speech
		for _, l := range talk {
			s.say(l)
		}
		if got := chapters.Split(s.us); len(got) == 2 {
			divided = append(divided, i)
		} else if len(got) > 2 {
			t.Errorf("talk %d has %d chapters", i, len(got))
		}
	}
	if len(divided) > 2 {
		t.Errorf("talks %v have two chapters", divided)
	}
}

func TestHoursAreBounded(t *testing.T) {
	var s speech
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		s.say(fmt.Sprintf("subject%d has part%d and part%d in place%d", i/10, i/10*7+r.IntN(3), r.IntN(900),
			r.IntN(300)))
	}
	got := chapters.Split(s.us)
	if len(got) < 2 || len(got) > 64 {
		t.Errorf("%d chapters", len(got))
	}
	whole(t, s.us, got)
}

// failer is a test, or a draw of one.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// whole holds chapters to what [chapters.Split] promises.
func whole(t failer, us []messages.Utterance, cs []messages.Chapter) {
	t.Helper()
	said := sentences.Split(us)
	if len(said) == 0 {
		if len(cs) != 0 {
			t.Fatalf("%d chapters of nothing", len(cs))
		}
		return
	}
	at, end := 0, 0.0
	for i, c := range cs {
		if c.Start != end || len(c.Sentences) == 0 {
			t.Fatalf("chapter %d begins at %v, not at %v; %d sentences", i, c.Start, end, len(c.Sentences))
		}
		end = c.End
		spoken := 0.0
		for _, s := range c.Sentences {
			want := said[at]
			at++
			spoken += s.End - s.Start
			if s.Sentence != want.Text || s.Start != want.Start || s.End != want.End ||
				!reflect.DeepEqual([]messages.Word(s.Words), want.Words) {
				t.Fatalf("chapter %d has %+v, want %+v", i, s, want)
			}
		}
		if len(cs) > 1 && spoken < 12-1e-6 {
			t.Fatalf("chapter %d has %v s of speech", i, spoken)
		}
		if len(c.Keywords) > 6 || len(c.Gist) > 80 || !utf8.ValidString(c.Headline+c.Gist) {
			t.Fatalf("chapter %d: %q, %q, %q", i, c.Headline, c.Gist, c.Keywords)
		}
	}
	last := 0.0
	for _, s := range said {
		last = max(last, s.End)
	}
	if at != len(said) || end != last || len(cs) > 64 {
		t.Fatalf("%d of %d sentences, to %v of %v, in %d chapters", at, len(said), end, last, len(cs))
	}
}

// strange draws utterances of several channels, speakers and languages, in an arbitrary order.
func strange(t *rapid.T) []messages.Utterance {
	word := rapid.SampledFrom(strings.Fields("the hive bees queen honey budget costs finance seats um okay dach schule 屋顶 漏水 end. why? 7 -"))
	at := 0.0
	var us []messages.Utterance
	for range rapid.IntRange(0, 60).Draw(t, "utterances") {
		start := max(at+rapid.Float64Range(-3, 3).Draw(t, "gap"), 0)
		u := messages.Utterance{Start: start, End: start, Channel: rapid.IntRange(0, 1).Draw(t, "channel"),
			Language: rapid.SampledFrom([]string{"", "en", "de", "zh"}).Draw(t, "language")}
		for range rapid.IntRange(0, 20).Draw(t, "words") {
			w := messages.Word{Word: " " + word.Draw(t, "word"), Start: u.End, End: u.End + 0.4}
			u.Words, u.Text, u.End = append(u.Words, w), u.Text+w.Word, w.End
		}
		us, at = append(us, u), u.End
	}
	return us
}

func TestChaptersAreWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		us := strange(t)
		got := chapters.Split(us)
		whole(t, us, got)
		if again := chapters.Split(us); !reflect.DeepEqual(got, again) {
			t.Fatalf("%+v, then %+v", got, again)
		}
	})
}

func FuzzSplit(f *testing.F) {
	f.Add("the hive\nthe bees\n\nbudget. costs?", "en", uint8(3))
	f.Add("屋顶漏水\n屋顶\xe6水", "zh", uint8(200))
	f.Add("\xff ' -\n", "", uint8(0))
	f.Fuzz(func(t *testing.T, text, language string, repeat uint8) {
		var s speech
		for range int(repeat)%8 + 1 {
			for line := range strings.Lines(text) {
				s.say(line)
			}
		}
		for i := range s.us {
			s.us[i].Language = language
		}
		whole(t, s.us, chapters.Split(s.us))
	})
}

func BenchmarkFourHours(b *testing.B) {
	var s speech
	all := talks(b)
	for i := range 3200 {
		talk := all[i/80%len(all)]
		s.say(talk[i%len(talk)])
	}
	for b.Loop() {
		chapters.Split(s.us)
	}
}
