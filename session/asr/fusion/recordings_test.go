package fusion

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
	"steno/session/asr/sphinx"
)

// heard is the finals of one member, one for each recording.
type heard []asr.Result

// hear decodes recordings whole.
func hear(t testing.TB, r asr.Recognizer, clips []corpus.Clip) heard {
	t.Helper()
	out := make(heard, len(clips))
	var all sync.WaitGroup
	for i, c := range clips {
		all.Go(func() {
			u, err := r.Open(t.Context(), asr.Params{Priority: asr.Replay})
			if err != nil {
				t.Error(err)
				return
			}
			for _, err := range []error{u.Write(c.Samples), u.End()} {
				if err != nil {
					t.Error(err)
				}
			}
			if out[i], err = u.Recv(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return out
}

// together votes on the finals of members of equal weight.
func together(members ...heard) heard {
	out := make(heard, len(members[0]))
	for i := range out {
		var voices []*memberStream
		for _, m := range members {
			voices = append(voices, &memberStream{member: Member{Name: m[i].Engine, Weight: 1}, result: m[i]})
		}
		out[i] = measured.vote(voices)
	}
	return out
}

// scores counts the errors in each recording.
func (h heard) scores(clips []corpus.Clip) []corpus.Score {
	out := make([]corpus.Score, len(h))
	for i, r := range h {
		var words []string
		for _, w := range r.Words {
			words = append(words, corpus.Words(w.Text)...)
		}
		out[i], _ = corpus.Align(clips[i].Words, words)
	}
	return out
}

func pooled(scores []corpus.Score) (all corpus.Score) {
	for _, s := range scores {
		all = all.Add(s)
	}
	return all
}

// difference is by how many points the word error rate of a exceeds that of b, and between which
// bounds with 95 % confidence: paired bootstrap over the recordings.
func difference(a, b []corpus.Score) (points, low, high float64) {
	points = 100 * (pooled(a).WER() - pooled(b).WER())
	random := rand.New(rand.NewPCG(1, 2))
	drawn := make([]float64, 2000)
	for n := range drawn {
		var x, y corpus.Score
		for range a {
			i := random.IntN(len(a))
			x, y = x.Add(a[i]), y.Add(b[i])
		}
		drawn[n] = 100 * (x.WER() - y.WER())
	}
	slices.Sort(drawn)
	return points, drawn[len(drawn)/40], drawn[len(drawn)-1-len(drawn)/40]
}

func pocketsphinx(t testing.TB, c sphinx.Config) *sphinx.Recognizer {
	t.Helper()
	c.Slots, c.Decoders, c.FinalDecoders = 1, 1, 1
	r, err := sphinx.New(t.Context(), c)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// warped makes a model for which the frequency axis of every voice is stretched by a factor.
func warped(t testing.TB, factor string) string {
	t.Helper()
	dir := t.TempDir()
	files, err := os.ReadDir(sphinx.DefaultModel)
	if err != nil {
		t.Skip(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(sphinx.DefaultModel, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if f.Name() == "feat.params" {
			b = append(b, "-warp_type inverse_linear\n-warp_params "+factor+"\n"...)
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name()), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// What two real engines recognize together is what the vote makes of their results, whoever makes
// them. Their model of a hundred words hears the sentence on both scales of frequency.
func TestDecodedTogether(t *testing.T) {
	small := sphinx.Config{LM: corpus.DebianFolder + "/turtle.lm.bin", Dict: corpus.DebianFolder + "/turtle.dic"}
	clips := []corpus.Clip{{Samples: corpus.Debian(t, "goforward.raw")}}
	other := small
	small.Name, other.Name, other.Model = "plain", "warped", warped(t, "1.08")
	plain, scaled := pocketsphinx(t, small), pocketsphinx(t, other)
	fused := together(hear(t, plain, clips), hear(t, scaled, clips))
	all, err := New(Member{Name: "plain", Recognizer: plain}, Member{Name: "warped", Recognizer: scaled})
	if err != nil {
		t.Fatal(err)
	}
	if got := hear(t, all, clips); !reflect.DeepEqual(got, fused) || len(got[0].Words) < 3 {
		t.Errorf("decoded together %+v, voted on afterwards %+v", got, fused)
	}
}

// BenchmarkScales fuses a model with the same model on another scale of frequency, on every second
// of the shortest recordings, with STENO_TEST_ALL=1 on every fifth of all: few recordings show no
// difference below three points. The vote must be no worse than the better model.
func BenchmarkScales(b *testing.B) {
	const noise = 3
	n, nth, longest := -1, 2, 3.5
	if os.Getenv("STENO_TEST_ALL") != "" {
		nth, longest = 5, math.Inf(1)
	}
	clips := corpus.Read(b, func(e corpus.Entry) bool {
		if !corpus.ReadEnglish(e) || e.Seconds > longest {
			return false
		}
		n++
		return n%nth == 0
	})
	plain := pocketsphinx(b, sphinx.Config{Name: "plain"})
	other := pocketsphinx(b, sphinx.Config{Name: "warped", Model: warped(b, "1.08")})
	first, second := hear(b, plain, clips), hear(b, other, clips)
	fused := together(first, second)
	better, worse := first.scores(clips), second.scores(clips)
	if pooled(worse).Errors < pooled(better).Errors {
		better, worse = worse, better
	}
	points, low, high := difference(fused.scores(clips), better)
	b.Logf("%d words: better %.1f %%, worse %.1f %%, fused %+.1f [%+.1f, %+.1f]",
		pooled(better).Words, 100*pooled(better).WER(), 100*pooled(worse).WER(), points, low, high)
	if points > noise || low > 0 {
		b.Errorf("fused %.1f points worse than the better one, [%.1f, %.1f]", points, low, high)
	}
}
