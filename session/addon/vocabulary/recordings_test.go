//go:build linux && amd64

package vocabulary

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
	"steno/session/asr/sphinx"
)

// talk is what was made of a recording: by a recognizer that knows all words of its dictionary, and
// by one that does not know the unusual ones of the transcripts.
type talk struct {
	said          []string
	unusual       []string // of said
	known, lacked messages.Utterance
}

// recognized runs the two recognizers over every nth recording of read English.
func recognized(t testing.TB, nth int) []talk {
	t.Helper()
	n := 0
	clips := corpus.Read(t, func(e corpus.Entry) bool {
		if !corpus.ReadEnglish(e) {
			return false
		}
		n++
		return n%nth == 0
	})
	common := newOrdinary()
	var unusual []string
	talks := make([]talk, len(clips))
	for i, c := range clips {
		talks[i].said = c.Words
		talks[i].unusual = corpus.RareWords(c.Words, common.has)
		unusual = append(unusual, talks[i].unusual...)
	}
	whole, lacking := engine(t, cmudict), engine(t, corpus.DictionaryWithout(t, cmudict, unusual))
	for i, c := range clips {
		talks[i].known = recognize(t, whole, c.Samples)
		talks[i].lacked = recognize(t, lacking, c.Samples)
	}
	return talks
}

func engine(t testing.TB, dict string) *sphinx.Recognizer {
	if _, err := os.Stat("/usr/lib/x86_64-linux-gnu/libpocketsphinx.so.3"); err != nil {
		t.Skipf("Debian package libpocketsphinx3: %v", err)
	}
	r, err := sphinx.New(context.Background(), sphinx.Config{Slots: 1, Decoders: 1, Dict: dict})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func recognize(t testing.TB, r asr.Recognizer, samples []int16) messages.Utterance {
	t.Helper()
	u, err := r.Open(t.Context(), asr.Params{Language: "en", Priority: asr.Replay})
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Write(samples[:min(len(samples), asr.MaxSamples)]); err != nil {
		t.Fatal(err)
	}
	if err := u.End(); err != nil {
		t.Fatal(err)
	}
	final, err := u.Recv()
	if err != nil {
		t.Fatal(err)
	}
	out := messages.Utterance{Language: "en"}
	for _, w := range final.Words {
		out.Words = append(out.Words, messages.Word{
			Word: " " + w.Text, Start: float64(w.Start) / asr.Rate, End: float64(w.End) / asr.Rate,
			Confidence: w.Confidence,
		})
		out.Text += " " + w.Text
	}
	return out
}

// score counts over recordings.
type score struct {
	words   int // recognized
	changed int // of them, by words nobody said
	garbled int // the same, where the recognizer lacked words
	phrases int // entries that were said but for one word
	unsaid  int // words changed by them
	lost    int // unusual words that were said, and could not be known
	found   int // of them, after correction
	clear   int // of those lost, the ones between words heard rightly
	cleared int // of these, found
}

func (s score) add(o score) score {
	return score{
		s.words + o.words, s.changed + o.changed, s.garbled + o.garbled, s.phrases + o.phrases, s.unsaid + o.unsaid,
		s.lost + o.lost, s.found + o.found, s.clear + o.clear, s.cleared + o.cleared,
	}
}

func (s score) String() string {
	return fmt.Sprintf("%d of %d unusual words found (%.0f %%), of those between words heard rightly %d of %d (%.0f %%); "+
		"of 1000 words changed by what nobody said: %.1f (%.1f where the engine lacked words); %d words by %d phrases said in part",
		s.found, s.lost, share(s.found, s.lost), s.cleared, s.clear, share(s.cleared, s.clear),
		10*share(s.changed, s.words), 10*share(s.garbled, s.words), s.unsaid, s.phrases)
}

func share(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// judge corrects a talk by a vocabulary of its unusual words, and by one of words that do not occur
// in it.
func (k talk) judge(t testing.TB, intensity float64) score {
	nobodys := corrector(intensity, unspoken...)
	s := score{
		words: len(k.known.Words), lost: len(k.unusual),
		changed: difference(k.known.Words, nobodys.Apply(k.known).Words),
		garbled: difference(k.lacked.Words, nobodys.Apply(k.lacked).Words),
	}
	if s.changed > 0 {
		t.Logf("intensity %v:%s\n\tbecame%s", intensity, k.known.Text, nobodys.Apply(k.known).Text)
	}
	for _, phrase := range k.phrases() {
		c := corrector(intensity, phrase)
		s.phrases++
		for _, u := range []messages.Utterance{k.known, k.lacked} {
			if n := difference(u.Words, c.Apply(u).Words); n > 0 {
				t.Logf("intensity %v, %q:%s\n\tbecame%s", intensity, phrase, u.Text, c.Apply(u).Text)
				s.unsaid += n
			}
		}
	}
	_, right := corpus.Align(corpus.Words(k.lacked.Text), k.said)
	got := strings.Fields(corrector(intensity, k.unusual...).Apply(k.lacked).Text)
	for i, w := range k.said {
		if !slices.Contains(k.unusual, w) {
			continue
		}
		found := 0
		if at := slices.Index(got, w); at >= 0 {
			got = slices.Delete(got, at, at+1)
			found = 1
		}
		s.found += found
		if (i == 0 || right[i-1]) && (i == len(right)-1 || right[i+1]) {
			s.clear++
			s.cleared += found
		}
	}
	return s
}

// phrases are two neighbouring words of the recording with one that nobody said, before, between or
// after them.
func (k talk) phrases() []string {
	unsaid := append(strings.Fields("times teams code club engineer services giants united"), unspoken...)
	var out []string
	for i := 1; i < len(k.said); i++ {
		words := slices.Insert(slices.Clone(k.said[i-1:i+1]), i%3, unsaid[i%len(unsaid)])
		out = append(out, strings.Join(words, " "))
	}
	return out
}

// difference is how many words are not in the corrected text as they were.
func difference(before, after []messages.Word) int {
	n := 0
	for _, w := range before {
		if !slices.ContainsFunc(after, func(o messages.Word) bool { return o.Start == w.Start && o.Word == w.Word }) {
			n++
		}
	}
	return n
}

// Of the words that an engine cannot know some must be found, and none put in that was not said.
// What the engine hears of the harder recordings, half of it wrong, has nothing left of many; over
// all recordings a quarter is found, and half of those between words heard rightly.
// STENO_TEST_ALL=1 takes all recordings in place of one in 48, and holds them to these shares.
func TestRecordings(t *testing.T) {
	nth := 96
	if os.Getenv("STENO_TEST_ALL") != "" {
		nth = 1
	}
	var halves [2]score
	for i, k := range recognized(t, nth) {
		halves[i%2] = halves[i%2].add(k.judge(t, defaultIntensity))
	}
	t.Log("first half: ", halves[0])
	t.Log("second half:", halves[1])
	all := halves[0].add(halves[1])
	if all.words == 0 || all.lost == 0 || all.phrases == 0 {
		t.Fatal("nothing was judged")
	}
	if all.changed > 0 || all.unsaid > 0 {
		t.Errorf("%d words changed by words nobody said, %d by phrases said in part", all.changed, all.unsaid)
	}
	if all.found == 0 || nth == 1 && (3*all.cleared < all.clear || 5*all.found < all.lost) {
		t.Errorf("too few found: %v", all)
	}
}

// BenchmarkRecordings prints what is found and what is spoilt at three intensities, over all
// recordings; the thresholds were chosen on the first half of them.
func BenchmarkRecordings(b *testing.B) {
	talks := recognized(b, 1)
	for _, intensity := range []float64{.2, .5, .8} {
		b.Run(fmt.Sprint(intensity), func(b *testing.B) {
			var halves [2]score
			for b.Loop() {
				halves = [2]score{}
				for i, k := range talks {
					halves[i%2] = halves[i%2].add(k.judge(b, intensity))
				}
			}
			b.Log("chosen on:", halves[0])
			b.Log("others:   ", halves[1])
			all := halves[0].add(halves[1])
			b.ReportMetric(share(all.found, all.lost), "%found")
			b.ReportMetric(10*share(all.changed, all.words), "changed/1000")
		})
	}
}
