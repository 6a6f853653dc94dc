package sphinx

import (
	"errors"
	"fmt"
)

// searchName is the library's name for the search of the option -lm.
const searchName = "_default"

// vocabularyDecoder decodes utterances with words added to its dictionary.
type vocabularyDecoder struct {
	*laggedDecoder
	words map[string]*addedWord // by their entries
}

// WithVocabulary implements [loader]. The words get entries of names that no dictionary has, so that only their own
// weight and pronunciation count.
func (m *models) WithVocabulary(l lexicon) (finalDecoder, error) {
	d, err := m.final()
	if err != nil {
		return nil, err
	}
	t := &vocabularyDecoder{d, map[string]*addedWord{}}
	if err := t.learn(l.words, m.dict); err != nil {
		t.Free()
		return nil, err
	}
	return t, d.warm()
}

// learn gives all words their weight before the first of them enters the dictionary: otherwise the library would give
// it the weight 1, with which no word ever wins. The search is rebuilt with the last entry only (0.2 s).
func (t *vocabularyDecoder) learn(words []addedWord, d *dictionary) error {
	lm := t.lib.LanguageModel(t.ps, searchName)
	if lm == nil {
		return errors.New("no language model in the decoder")
	}
	sounds := make([][]string, len(words))
	last, entries := -1, 0 // each becomes a word of the language model
	for i, w := range words {
		if sounds[i] = d.sounds(w); len(sounds[i]) > 0 {
			last = i
		}
		entries += len(sounds[i])
	}
	if err := widen(lm, entries); err != nil {
		return err
	}
	for i, w := range words {
		if len(sounds[i]) > 0 && t.lib.LMAddWord(lm, entry(i, 0), w.weight()) < 0 {
			return fmt.Errorf("word %d of the vocabulary: refused by the language model", i+1)
		}
	}
	for i := range words {
		t.words[entry(i, 0)] = &words[i]
		for j, phones := range sounds[i] {
			var update int32
			if i == last && j == len(sounds[i])-1 {
				update = 1
			}
			if t.lib.AddWord(t.ps, entry(i, j), phones, update) < 0 {
				return fmt.Errorf("word %d of the vocabulary: refused by the dictionary", i+1)
			}
		}
	}
	return nil
}

// entry names pronunciation j of added word i in the dictionary's way.
func entry(i, j int) string {
	if j == 0 {
		return fmt.Sprintf("~%d", i)
	}
	return fmt.Sprintf("~%d(%d)", i, j+1)
}

func (t *vocabularyDecoder) Path() ([]segment, error) {
	path, err := t.laggedDecoder.Path()
	for i, s := range path {
		if w := t.words[spelling(s.word)]; w != nil {
			path[i].taught, path[i].clear = w, s.evidence() >= w.needs(len(t.words))
		}
	}
	return path, err
}
