package moonshine

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"steno/session/asr"
)

// vocabularies keeps what was made of the newest vocabularies, since all utterances of a session
// have the same. Any goroutine may use it.
type vocabularies struct {
	pieces *pieces

	mu     sync.Mutex
	newest []kept // at most keptVocabularies, the newest first
}

type kept struct {
	key   string
	lexis *lexis
}

// keptVocabularies bounds the memory: a vocabulary of a thousand phrases takes some 5 MB.
const keptVocabularies = 16

// lexis returns what a search needs to prefer the terms; nil for none. Two callers with a new
// vocabulary may both make it.
func (v *vocabularies) lexis(terms []asr.Term) *lexis {
	if len(terms) == 0 {
		return nil
	}
	key := vocabularyKey(terms)
	if l, ok := v.find(key); ok {
		return l
	}
	l := newLexis(v.pieces, terms)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.newest = slices.Insert(v.newest, 0, kept{key, l})
	v.newest = v.newest[:min(len(v.newest), keptVocabularies)]
	return l
}

func (v *vocabularies) find(key string) (*lexis, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	i := slices.IndexFunc(v.newest, func(k kept) bool { return k.key == key })
	if i < 0 {
		return nil, false
	}
	found := v.newest[i]
	v.newest = slices.Insert(slices.Delete(v.newest, i, i+1), 0, found)
	return found.lexis, true
}

func vocabularyKey(terms []asr.Term) string {
	var b strings.Builder
	for _, t := range terms {
		fmt.Fprintf(&b, "%q %v\n", t.Text, t.Intensity)
	}
	return b.String()
}
