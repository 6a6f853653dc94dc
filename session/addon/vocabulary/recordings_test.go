//go:build linux && amd64

package vocabulary

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
	"steno/session/asr/engine/sphinx"
)

// talk is what was made of a recording: by a recognizer that knows all words of its dictionary, and by one that does not
// know the unusual ones of the transcripts.
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
		for _, w := range c.Words {
			if len(w) >= 5 && !strings.Contains(w, "'") && !common.has(w) {
				talks[i].unusual = append(talks[i].unusual, w)
			}
		}
		unusual = append(unusual, talks[i].unusual...)
	}
	whole, lacking := engine(t, cmudict), engine(t, without(t, unusual))
	for i, c := range clips {
		talks[i].known = recognize(t, whole, c.Samples)
		talks[i].lacked = recognize(t, lacking, c.Samples)
	}
	return talks
}

// without writes a dictionary that lacks some words and their inflections, so that no engine can know them.
func without(t testing.TB, words []string) string {
	b, err := os.ReadFile(cmudict)
	if err != nil {
		t.Skipf("Debian package pocketsphinx-en-us: %v", err)
	}
	lacks := map[string]bool{}
	for _, w := range words {
		for _, ending := range append(endings, "") {
			lacks[w+ending] = true
			if stem := strings.TrimSuffix(w, ending); len(stem) > 3 {
				lacks[stem], lacks[stem+"s"], lacks[stem+"e"] = true, true, true
			}
		}
	}
	var kept strings.Builder
	for line := range strings.Lines(string(b)) {
		word, _, _ := strings.Cut(line, " ")
		word, _, _ = strings.Cut(word, "(")
		if !lacks[word] {
			kept.WriteString(line)
		}
	}
	file := filepath.Join(t.TempDir(), "lacking.dict")
	if err := os.WriteFile(file, []byte(kept.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
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

func recognize(t testing.TB, r *sphinx.Recognizer, samples []int16) messages.Utterance {
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
			Word: " " + w.Text, Start: float64(w.Start) / asr.Rate, End: float64(w.End) / asr.Rate, Confidence: w.Confidence,
		})
		out.Text += " " + w.Text
	}
	return out
}

// score counts over recordings.
type score struct {
	words   int // recognized
	changed int // of them, by words nobody said
	lost    int // unusual words that were said, and could not be known
	found   int // of them, after correction
}

func (s score) add(o score) score {
	return score{s.words + o.words, s.changed + o.changed, s.lost + o.lost, s.found + o.found}
}

// judge corrects a talk by a vocabulary of its unusual words, and by one of words nobody says.
func (k talk) judge(intensity float64, t testing.TB) score {
	s := score{words: len(k.known.Words) + len(k.lacked.Words), lost: len(k.unusual)}
	for _, u := range []messages.Utterance{k.known, k.lacked} {
		if got := corrector(intensity, unspoken...).Apply(u); got.Text != u.Text {
			n := difference(u.Words, got.Words)
			t.Logf("intensity %v: %d words changed:%s\n\tto%s", intensity, n, u.Text, got.Text)
			s.changed += n
		}
	}
	got := strings.Fields(corrector(intensity, k.unusual...).Apply(k.lacked).Text)
	for _, w := range k.unusual {
		if i := slices.Index(got, w); i >= 0 {
			got = slices.Delete(got, i, i+1)
			s.found++
		}
	}
	return s
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
