package chapters_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"steno/messages"
	"steno/session/addon/chapters"
)

// talk is the topics of a written talk, each the lines of it.
type talk struct {
	name   string
	topics [][]string
}

func written(t testing.TB, folder string) []talk {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no talks in %s: %v", folder, err)
	}
	var all []talk
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		one := talk{name: strings.TrimSuffix(filepath.Base(f), ".txt")}
		for topic := range strings.SplitSeq(strings.TrimSpace(string(raw)), "\n---\n") {
			one.topics = append(one.topics, strings.Split(topic, "\n"))
		}
		all = append(all, one)
	}
	return all
}

// manner is how a line comes out of an engine.
type manner func(line string, r *rand.Rand) string

func asWritten(line string, _ *rand.Rand) string { return line }

// bare is without capitals and marks.
func bare(line string, _ *rand.Rand) string {
	return strings.ToLower(strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || c == ' ' || c == '\'' {
			return c
		}
		return -1
	}, line))
}

// misheard is bare, with one word in eight left out or replaced.
func misheard(line string, r *rand.Rand) string {
	words := strings.Fields(bare(line, r))
	var out []string
	for _, w := range words {
		switch r.IntN(16) {
		case 0:
		case 1:
			out = append(out, strings.Fields("the a head made ship right long case fall light under men")[r.IntN(12)])
		default:
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// spoken is the utterances of a talk, and the times at which all topics but the first begin.
func (k talk) spoken(say manner, seed uint64) (us []messages.Utterance, starts []float64) {
	r := rand.New(rand.NewPCG(seed, 3))
	var s speech
	for i, topic := range k.topics {
		if i > 0 {
			starts = append(starts, s.at)
		}
		for _, line := range topic {
			who, text, found := strings.Cut(line, ": ")
			if !found || len(who) > 1 {
				who, text = "A", line
			}
			s.say(say(text, r))
			speaker := int(who[0] - 'A')
			s.us[len(s.us)-1].Speaker = &speaker
			if k.name == "firma" {
				s.us[len(s.us)-1].Language = "de"
			}
		}
	}
	return s.us, starts
}

// tally counts cuts: those that should be, those that are, and those that are within a sentence of
// one that should be.
type tally struct{ real, cut, hit int }

// near is how far a cut may be from the right place, in seconds: about a sentence.
const near = 5

func (c *tally) add(want, got []float64) {
	c.real, c.cut = c.real+len(want), c.cut+len(got)
	taken := make([]bool, len(got))
	for _, w := range want {
		for i, g := range got {
			if !taken[i] && g > w-near && g < w+near {
				taken[i] = true
				c.hit++
				break
			}
		}
	}
}

func (c tally) precision() float64 { return float64(c.hit) / float64(max(c.cut, 1)) }
func (c tally) recall() float64    { return float64(c.hit) / float64(max(c.real, 1)) }

var manners = []struct {
	name string
	say  manner
}{{"written", asWritten}, {"bare", bare}, {"misheard", misheard}}

// TestTopicsMakeChapters has talks of one to five subjects of about five sentences each, of one
// speaker and of two, with and without marks and with words misheard. With the talks in "written"
// the constants of this package were chosen, those in "unseen" were written afterwards.
func TestTopicsMakeChapters(t *testing.T) {
	for folder, least := range map[string][2]float64{"written": {0.85, 0.6}, "unseen": {0.8, 0.6}} {
		for _, m := range manners {
			var sum tally
			for i, k := range written(t, folder) {
				us, starts := k.spoken(m.say, uint64(i))
				got := found(chapters.Split(us))
				sum.add(starts, got)
				if folder == "unseen" && len(starts) == 0 && len(got) > 0 {
					t.Errorf("%s, %s: one subject, chapters begin at %v", m.name, k.name, got)
				}
			}
			t.Logf("%s %s: precision %.2f, recall %.2f %+v", folder, m.name, sum.precision(), sum.recall(), sum)
			if sum.precision() < least[0] || sum.recall() < least[1] {
				t.Errorf("%s, %s: precision %.2f, recall %.2f", folder, m.name, sum.precision(), sum.recall())
			}
		}
	}
}

// TestThreeSubjects names the chapters of talks of three or four by what they are about.
func TestThreeSubjects(t *testing.T) {
	want := map[string]string{"village": "bridge choir fever", "nature": "ant ice coffee piano",
		"kitchen_physics": "milk edge bread",
		"product_demo":    "camera app euros", "firma": "maschinen halle gasthaus"}
	for _, k := range append(written(t, "unseen"), written(t, "written")...) {
		subjects := strings.Fields(want[k.name])
		if len(subjects) == 0 {
			continue
		}
		us, _ := k.spoken(asWritten, 1)
		got := chapters.Split(us)
		if len(got) != len(subjects) {
			t.Errorf("%s: %d chapters", k.name, len(got))
			continue
		}
		for i, c := range got {
			for _, text := range []string{c.Headline, c.Summary} {
				if !strings.Contains(strings.ToLower(text), subjects[i]) {
					t.Errorf("%s: %q is not about %s", k.name, text, subjects[i])
				}
			}
		}
	}
}
