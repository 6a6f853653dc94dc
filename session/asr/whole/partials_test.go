package whole

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"steno/session/asr"
	"steno/session/asr/schedule"
)

// speak writes audio at the speed of speech in a goroutine.
func speak(t *testing.T, u asr.Stream, samples []int16, end func()) {
	go func() {
		for block := range slices.Chunk(samples, asr.Rate/50) {
			if err := u.Write(block); err != nil {
				t.Error(err)
			}
			time.Sleep(20 * time.Millisecond)
		}
		end()
		if err := u.End(); err != nil {
			t.Error(err)
		}
	}()
}

// TestPartials follows a spoken utterance of several pieces.
func TestPartials(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{partials: 20 * time.Millisecond, finals: 50 * time.Millisecond}
		u := open(t, serve(t, 2, f, Config{Longest: 2 * asr.Rate}), asr.Params{Partials: true})
		speak(t, u, noise[:10*asr.Rate], func() {})
		partials, final := receive(t, u)
		same(t, final, want(f, noise[:10*asr.Rate], 2*asr.Rate))
		if len(partials) < 20 {
			t.Errorf("%d partials in 10 s", len(partials))
		}
		shown, stood, settled := 0, 0, map[string]bool{}
		for _, w := range final.Words {
			settled[w.Text] = true
		}
		for i, p := range partials {
			words := texts(p.Words)
			if last := []rune(words[len(words)-1]); unicode.IsPunct(last[len(last)-1]) {
				t.Errorf("partial %d ends in punctuation: %q", i, words)
			}
			if p.Final || i > 0 && len(words)+1 < len(partials[i-1].Words) {
				t.Errorf("partial %q after %q", words, texts(partials[i-1].Words))
			}
			for _, w := range words[:len(words)-1] {
				shown++
				if settled[w] {
					stood++
				}
			}
		}
		if stood < shown*9/10 {
			t.Errorf("of %d words of partials %d stood in the final", shown, stood)
		}
		for _, c := range f.done(true) {
			if c.from > 0 && !slices.ContainsFunc(f.done(false), func(d call) bool {
				return d.end == c.from &&
					!d.ended.After(c.began)
			}) {
				t.Errorf("a partial of %d to %d before the piece that it follows", c.from, c.end)
			}
		}
	})
}

// TestNewestPartial leaves partials unreceived: one waits, the newest, and the final replaces it.
func TestNewestPartial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		m := serve(t, 2, f, Config{})
		u := open(t, m, asr.Params{Partials: true})
		for n := range 4 {
			must(t, u.Write(noise[n*asr.Rate/2:(n+1)*asr.Rate/2]))
			synctest.Wait()
		}
		if figures, _, _ := m.Figures(); figures.Shed[ShedReplaced] != 3 {
			t.Errorf("dropped %v, want three partials", figures.Shed)
		}
		if r, err := u.Recv(); err != nil || len(r.Words) != 8 {
			t.Errorf("%+v, %v; want the newest partial", r, err)
		}
		must(t, u.Write(noise[2*asr.Rate:3*asr.Rate]))
		synctest.Wait()
		must(t, u.End())
		synctest.Wait()
		partials, final := receive(t, u)
		same(t, final, want(f, noise[:3*asr.Rate], 0))
		if figures, _, _ := m.Figures(); len(partials) > 0 || figures.Shed[ShedReplaced] != 4 {
			t.Errorf("partials %+v, dropped %v", partials, figures.Shed)
		}
	})
}

// TestPace expects the partials of many to take half of the slots, however dear they are.
func TestPace(t *testing.T) {
	count := func(speakers int, cost time.Duration, stubborn bool) (partials int, share float64) {
		synctest.Test(t, func(t *testing.T) {
			f := &fake{stubborn: stubborn, partials: cost}
			m := serve(t, 2, f, Config{Longest: asr.Rate})
			for range speakers {
				u := open(t, m, asr.Params{Partials: true})
				speak(t, u, noise[:20*asr.Rate], func() {})
				go func() {
					for _, err := u.Recv(); err == nil; _, err = u.Recv() {
					}
				}()
			}
			time.Sleep(25 * time.Second)
			var spent time.Duration
			for _, c := range f.all() {
				if c.partial {
					partials++
					spent += c.ended.Sub(c.began)
				}
			}
			share = spent.Seconds() / (2 * 20)
		})
		return partials / speakers, share
	}
	one, _ := count(1, 50*time.Millisecond, false)
	ten, share := count(10, 200*time.Millisecond, false)
	if one < 40 || ten < 10 || ten > one/2 || share > 0.65 {
		t.Errorf("%d partials for one speaker, %d for each of ten, who took %.2f of the slots", one, ten, share)
	}
	if slow, share := count(1, 10*time.Second, true); slow < 2 || share > 0.6 {
		t.Errorf("%d partials of a slow model took %.2f of the slots", slow, share)
	}
}

// TestPartialsYield expects finals not to wait for partials that are being decoded, and an
// abandoned decode not to count as the cost of a partial.
func TestPartialsYield(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{finals: 100 * time.Millisecond, partials: 5 * time.Second}
		m := serve(t, 1, f, Config{})
		for range 3 {
			u := open(t, m, asr.Params{Partials: true})
			must(t, u.Write(noise[:asr.Rate]))
		}
		for range 5 {
			time.Sleep(time.Second)
			u := open(t, m, asr.Params{})
			must(t, u.Write(noise[:asr.Rate]))
			ended := time.Now()
			must(t, u.End())
			if _, final := receive(t, u); time.Since(ended) > 110*time.Millisecond || final.Queued >
				10*time.Millisecond {
				t.Errorf("a final came after %v, %v of that in the queue", time.Since(ended), final.Queued)
			}
		}
		yielded := 0
		for _, c := range f.all() {
			if c.err == ErrYielded {
				yielded++
			}
		}
		if yielded == 0 || m.pace.cost != 0 {
			t.Errorf("%d partials yielded and cost %v", yielded, m.pace.cost)
		}
	})
}

// TestLatePartials expects partials that could not be decoded for long to be dropped, and newer
// ones later.
func TestLatePartials(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{finals: 10 * time.Second, stubborn: true}
		m := serve(t, 1, f, Config{})
		busy := open(t, m, asr.Params{})
		must(t, busy.Write(noise[:asr.Rate]), busy.End())
		synctest.Wait()
		u := open(t, m, asr.Params{Partials: true})
		must(t, u.Write(noise[:asr.Rate]))
		receive(t, busy)
		synctest.Wait()
		if figures, _, _ := m.Figures(); figures.Shed[schedule.ShedLate] != 1 || len(f.done(true)) > 0 {
			t.Errorf("dropped %v, calls %+v", figures.Shed, f.all())
		}
		must(t, u.Write(noise[asr.Rate:2*asr.Rate]))
		if r, err := u.Recv(); err != nil || len(r.Words) != 8 {
			t.Errorf("the next partial: %+v, %v", r, err)
		}
	})
}

// However busy the machine is, partials are tried often until the first word is found; where there
// is none for long, as seldom as others.
func TestFirstWordsComeSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{partials: 100 * time.Millisecond}
		words := asr.Rate * 6 / 5 // the first is heard after so many samples
		f.text = func(p Piece) []string {
			if p.To < words {
				return nil
			}
			return []string{"word", "another"}
		}
		m := serve(t, 1, f, Config{})
		m.pace.speaks("", 100)
		defer m.pace.speaks("", -100)
		speak := func(seconds int) (u asr.Stream) {
			u = open(t, m, asr.Params{Partials: true})
			for at := 0; at < seconds*asr.Rate; at += asr.Rate / 10 {
				must(t, u.Write(noise[at:at+asr.Rate/10]))
				time.Sleep(100 * time.Millisecond)
			}
			return u
		}
		u := speak(2)
		first := f.done(true)
		if last := first[len(first)-1].end; len(first) > 5 || last < words || last > words+shortestStep {
			t.Errorf("partials before and at the first word: %+v", first)
		}
		must(t, u.End())
		receive(t, u)
		before := len(f.done(true))
		words = len(noise)
		must(t, speak(12).End())
		if n := len(f.done(true)) - before; n > wordless/shortestStep+12*asr.Rate/longestStep+1 {
			t.Errorf("%d partials of what has no words", n)
		}
	})
}

func TestOpen(t *testing.T) {
	for text, want := range map[string]string{
		"Yes.": "Yes", `He said "Yes."`: "He said Yes", "5 %": "5 %", "はい。": "はい", "well -": "well", "...": "",
		"(and": "(and", "dogs'": "dogs",
		"क्या।": "क्या", "C#": "C#",
	} {
		var words []asr.Word
		for w := range strings.FieldsSeq(text) {
			words = append(words, asr.Word{Text: w})
		}
		if got := strings.ReplaceAll(strings.Join(texts(opened(words)), " "), `"`, ""); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
