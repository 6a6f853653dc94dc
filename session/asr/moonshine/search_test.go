package moonshine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"steno/session/asr"
	"steno/session/asr/moonshine/network"
	"steno/session/asr/whole"
)

// alphabet has tokens for letters, with and without a space before them, after the special tokens
// and the bytes.
var alphabet = func() (t tokens) {
	t = make(tokens, 259)
	for c := 'a'; c <= 'z'; c++ {
		t = append(t, []byte(string(c)), []byte(" "+string(c)))
	}
	return append(t, []byte("."))
}()

// spelled returns the tokens of a text, a letter each.
func spelled(text string) (ids []int) {
	space := false
	for _, c := range text {
		switch {
		case c == ' ':
			space = true
			continue
		case c == '.':
			ids = append(ids, len(alphabet)-1)
		case space:
			ids = append(ids, 260+2*int(c-'a'))
		default:
			ids = append(ids, 259+2*int(c-'a'))
		}
		space = false
	}
	return ids
}

// speech is a decoder that has heard a text: the logit of its next token is 9, those of others are
// far below.
type speech struct {
	text   []int
	others map[int][]int // by place: what else was possible there, with logits of 8, 7, ...
	taken  []int
	passes int
}

func (s *speech) Take(ids []int) ([]float32, error) {
	s.passes++
	var logits []float32
	for _, id := range ids {
		s.taken = append(s.taken, id)
		row := make([]float32, len(alphabet))
		for i := range row {
			row[i] = -20
		}
		at := len(s.taken) - 1
		next := network.End
		if at < len(s.text) {
			next = s.text[at]
		}
		row[next] = 9
		for i, other := range s.others[at] {
			row[other] = float32(8 - i)
		}
		logits = append(logits, row...)
	}
	return logits, nil
}

func (s *speech) Truncate(n int) { s.taken = s.taken[:min(n, len(s.taken))] }

func find(t interface{ Fatal(...any) }, heard *speech, draft []int, terms ...asr.Term) hypothesis {
	s := search{net: heard, width: len(alphabet), limit: 200, draft: draft, lexis: newLexis(newPieces(alphabet), terms)}
	h, err := s.run()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A draft changes how many passes a text takes and not the text, however wrong it is.
func TestDraftsAreVerified(t *testing.T) {
	text := spelled(" the quick brown fox jumps over a lazy dog and runs away.")
	right := &speech{text: text}
	find(t, right, text)
	if most := len(text)/verified + 2; right.passes > most {
		t.Errorf("%d passes for a right draft, want %d at most", right.passes, most)
	}
	rapid.Check(t, func(t *rapid.T) {
		draft := slices.Clone(text)
		for range rapid.IntRange(0, 5).Draw(t, "edits") {
			at := rapid.IntRange(0, len(draft)-1).Draw(t, "at")
			switch rapid.IntRange(0, 2).Draw(t, "edit") {
			case 0:
				draft[at] = rapid.IntRange(3, len(alphabet)-1).Draw(t, "token")
			case 1:
				draft = slices.Insert(draft, at, rapid.IntRange(3, len(alphabet)-1).Draw(t, "token"))
			default:
				draft = slices.Delete(draft, at, at+1)
			}
		}
		heard := &speech{text: text}
		h := find(t, heard, draft)
		if !slices.Equal(h.ids, text) || h.stop != stopEnd || len(h.logs) != len(h.ids) {
			t.Fatalf("%v of %d logs, %v", h.ids, len(h.logs), h.stop)
		}
		if heard.passes > len(text)+1 {
			t.Fatalf("%d passes for %d tokens", heard.passes, len(text))
		}
	})
}

func TestSearchStops(t *testing.T) {
	loopy := spelled(" so it goes" + strings.Repeat(" on and on", 40))
	if h := find(t, &speech{text: loopy}, nil); h.stop != stopLoop || len(h.ids) > len(loopy)/4 {
		t.Errorf("a loop: %v after %d tokens", h.stop, len(h.ids))
	}
	long := make([]int, 500)
	for i := range long {
		long[i] = 259 + i*i%53
	}
	if h := find(t, &speech{text: long}, nil); h.stop != stopLimit || len(h.ids) < 200 || len(h.ids) > 201 {
		t.Errorf("no end: %v after %d tokens", h.stop, len(h.ids))
	}
	s := search{net: &speech{text: long}, width: len(alphabet), limit: 200, yield: func() bool { return true }}
	if _, err := s.run(); !errors.Is(err, whole.ErrYielded) {
		t.Errorf("a search that is to yield: %v", err)
	}
}

// A phrase of the vocabulary is taken where the model finds it possible, and only as a whole.
func TestVocabulary(t *testing.T) {
	for _, tc := range []struct {
		name, heard, said string // said: what was possible besides, letter by letter
		term              asr.Term
		want              string
	}{
		{"possible", " a newbork b", " a newberg b", asr.Term{Text: "newberg", Intensity: 0.5}, " a newberg b"},
		{"impossible", " a newbork b", "", asr.Term{Text: "newberg", Intensity: 0.5}, " a newbork b"},
		{"begun in vain", " a newbark b", " a newb", asr.Term{Text: "newberg", Intensity: 0.5}, " a newbark b"},
		{"the beginning of a longer word", " a newton b", "", asr.Term{Text: "new", Intensity: 0.5}, " a newton b"},
		{"as heard", " a new b", "", asr.Term{Text: "new", Intensity: 0.5}, " a new b"},
		{"no intensity", " a newbork b", " a newberg b", asr.Term{Text: "newberg"}, " a newberg b"},
	} {
		heard := &speech{text: spelled(tc.heard), others: map[int][]int{}}
		for i, id := range spelled(tc.said) {
			heard.others[i] = []int{id}
		}
		h := find(t, heard, nil, tc.term)
		if got := string(slices.Concat(letters(h)...)); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// A text that is followed stays, whatever the model finds likelier, but for a phrase and the token
// after it; also after a phrase that was begun in vain.
func TestAFollowedText(t *testing.T) {
	for _, tc := range []struct{ heard, followed, said, want string }{
		{" he wot it so", " he wat it no", "", " he wat it no"},
		{" a newbork b it so", " a newbork c it no", " a newberg b it so", " a newberg b it no"},
		{" a newbark b it so", " a newbark c it no", " a newb", " a newbark c it no"},
	} {
		heard := &speech{text: spelled(tc.heard), others: map[int][]int{}}
		for i, id := range spelled(tc.said) {
			heard.others[i] = []int{id}
		}
		s := search{
			net: heard, width: len(alphabet), limit: 200, draft: append(spelled(tc.followed), network.End),
			follow: true,
			lexis:  newLexis(newPieces(alphabet), []asr.Term{{Text: "newberg", Intensity: 0.5}}),
		}
		h, err := s.run()
		if err != nil {
			t.Fatal(err)
		}
		if got := string(slices.Concat(letters(h)...)); got != tc.want {
			t.Errorf("%q followed in %q: %q, want %q", tc.followed, tc.heard, got, tc.want)
		}
	}
}

func letters(h hypothesis) (out [][]byte) {
	for _, id := range h.ids {
		out = append(out, alphabet.text(id))
	}
	return out
}

// All ways to spell a phrase in tokens lead through it, also those of long tokens.
func TestLexisHasAllSpellings(t *testing.T) {
	all := append(slices.Clone(alphabet), []byte(" ne"), []byte("wb"), []byte(" newberg"), []byte("ton"))
	l := newLexis(newPieces(all), []asr.Term{{Text: " new  berg "}, {Text: "newton"}, {Text: ""}})
	var spell func(node int, rest string) int
	spell = func(node int, rest string) (ways int) {
		if rest == "" {
			return 1
		}
		for _, e := range l.nodes[node].edges {
			if after, ok := strings.CutPrefix(rest, string(all.text(e.token))); ok {
				ways += spell(e.to, after)
			}
		}
		return ways
	}
	for phrase, want := range map[string]int{" new berg": 2, " newton": 4, " newberg": 0} {
		if got := spell(0, phrase); got != want {
			t.Errorf("%q is spelled in %d ways, want %d", phrase, got, want)
		}
	}
	if newLexis(newPieces(all), nil) != nil || newLexis(newPieces(all), []asr.Term{{Text: "  "}}) != nil {
		t.Error("a vocabulary without phrases has a lexis")
	}
}

func TestVocabulariesAreKept(t *testing.T) {
	v := vocabularies{pieces: newPieces(alphabet)}
	terms := func(n int) []asr.Term {
		return []asr.Term{{Text: fmt.Sprintf("name%c", 'a'+n%26), Intensity: float64(n)}}
	}
	first := v.lexis(terms(0))
	if v.lexis(terms(0)) != first {
		t.Error("the same vocabulary was made twice")
	}
	for n := range 3 * keptVocabularies {
		v.lexis(terms(n))
	}
	if len(v.newest) != keptVocabularies || v.lexis(nil) != nil {
		t.Errorf("%d vocabularies are kept", len(v.newest))
	}
}
