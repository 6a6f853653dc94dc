package moonshine

import (
	"slices"
	"strings"
	"testing"

	"steno/session/asr"
	"steno/session/asr/align"
	"steno/session/asr/asrtest/corpus"
	"steno/session/asr/whole"
)

// aligned serves with an aligner; it skips the test where there is none.
func aligned(t *testing.T) *served {
	t.Helper()
	aligner, err := align.New(align.Config{Aligners: 1})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(aligner.Close)
	return serve(t, Config{Aligner: aligner}).served[0]
}

// The words of what is decoded with its context are its own alone, in finals and in partials, and
// partials need the audio's context as finals do: "and mr. john dashwood had then leisure to
// consider" is cut after "dashwood".
func TestContextLeavesNoWords(t *testing.T) {
	s := aligned(t)
	samples := corpus.Debian(t, "librivox/sense_and_sensibility_01_austen_64kb-0870.wav")
	first, err := s.Decode(whole.Piece{Samples: samples, To: len(samples), Yield: never})
	if err != nil {
		t.Fatal(err)
	}
	all := first.(outcome).words
	n := slices.IndexFunc(all, func(w asr.Word) bool { return strings.HasPrefix(w.Text, "consider") })
	if n < 0 {
		t.Fatalf("no word to cut at in %v", all)
	}
	cut := (all[n-1].End + all[n].Start) / 2
	p := whole.Piece{Samples: samples[cut:], To: len(samples) - cut, Params: asr.Params{Context: samples[:cut]},
		Yield: never, Spare: true}
	want := strings.ToLower(joined(all[n:]))
	final, err := s.Decode(p)
	if err != nil {
		t.Fatal(err)
	}
	if got := final.(outcome); strings.ToLower(joined(got.words)) != want || got.words[0].Start < 0 {
		t.Errorf("final %q, want %q", joined(got.words), want)
	}
	var shown []string
	var after any
	for end := rate / 2; end <= len(p.Samples); end += rate / 2 {
		p.To = end
		var o any
		if o, after, err = s.Partial(p, after); err != nil {
			t.Fatal(err)
		}
		shown = append(shown, strings.ToLower(joined(o.(outcome).words)))
	}
	last := shown[len(shown)-1]
	if !strings.HasPrefix(last, want[:len(want)/2]) {
		t.Errorf("partials %q, want the beginning of %q", shown, want)
	}
	for _, text := range shown {
		if strings.Contains(text, "dashwood") {
			t.Errorf("a partial has words of its context: %q", text)
		}
	}
}

func never() bool { return false }
