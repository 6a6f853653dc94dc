package sphinx

import (
	"errors"
	"fmt"
	"unsafe"
)

// searchName is the library's name for the search of the option -lm.
const searchName = "_default"

// vocabularyDecoder decodes utterances with words added to its dictionary.
type vocabularyDecoder struct {
	*laggedDecoder
	words map[string]*addedWord // by their entries
}

// Learn implements [loader]. The words get entries of names that no dictionary has, so that only
// their own weight and pronunciation count.
func (m *models) Learn(l lexicon) learner {
	return &lesson{m: m, words: l.words, sounds: make([][]string, len(l.words)), last: -1}
}

// wordsAtOnce is how many words a step of a lesson is about.
const wordsAtOnce = 16

// lesson teaches a decoder words. All words get their weight before the first of them enters the
// dictionary: otherwise the library would set its weight to 1, with which no word ever wins. The
// search is rebuilt with the last entry only (0.2 s).
type lesson struct {
	m      *models
	words  []addedWord
	sounds [][]string // of the words
	last   int        // word that has any; -1: none has
	count  int        // of all sounds: each becomes a word of the language model
	next   int        // word of the part that is under way
	part   int        // of parts
	t      *vocabularyDecoder
	lm     unsafe.Pointer
}

// Step implements learner.
func (s *lesson) Step() (finalDecoder, error) {
	parts := []func(from, to int) error{s.pronounce, s.weigh, s.enter}
	if s.part == 1 && s.t == nil {
		return nil, s.begin()
	}
	to := min(s.next+wordsAtOnce, len(s.words))
	if err := parts[s.part](s.next, to); err != nil {
		s.Free()
		return nil, err
	}
	if s.next = to; s.next == len(s.words) {
		s.part, s.next = s.part+1, 0
	}
	if s.part < len(parts) {
		return nil, nil
	}
	if err := s.t.warm(); err != nil {
		s.Free()
		return nil, err
	}
	return s.t, nil
}

// pronounce finds the sounds of some words.
func (s *lesson) pronounce(from, to int) error {
	for i := from; i < to; i++ {
		if s.sounds[i] = s.m.dict.sounds(s.words[i]); len(s.sounds[i]) > 0 {
			s.last = i
		}
		s.count += len(s.sounds[i])
	}
	return nil
}

// begin loads a decoder that is to have the words.
func (s *lesson) begin() error {
	d, err := s.m.final()
	if err != nil {
		return err
	}
	s.t = &vocabularyDecoder{d, map[string]*addedWord{}}
	if s.lm = d.lib.LanguageModel(d.ps, searchName); s.lm == nil {
		err = errors.New("no language model in the decoder")
	} else {
		err = widen(s.lm, s.count)
	}
	if err != nil {
		s.Free()
	}
	return err
}

// weigh sets the weights of the words [from,to).
func (s *lesson) weigh(from, to int) error {
	for i := from; i < to; i++ {
		if len(s.sounds[i]) > 0 && s.t.lib.LMAddWord(s.lm, entry(i, 0), s.words[i].weight()) < 0 {
			return fmt.Errorf("word %d of the vocabulary: refused by the language model", i+1)
		}
	}
	return nil
}

// enter puts some words into the dictionary.
func (s *lesson) enter(from, to int) error {
	for i := from; i < to; i++ {
		s.t.words[entry(i, 0)] = &s.words[i]
		for j, phones := range s.sounds[i] {
			var update int32
			if i == s.last && j == len(s.sounds[i])-1 {
				update = 1
			}
			if s.t.lib.AddWord(s.t.ps, entry(i, j), phones, update) < 0 {
				return fmt.Errorf("word %d of the vocabulary: refused by the dictionary", i+1)
			}
		}
	}
	return nil
}

// Free implements learner.
func (s *lesson) Free() {
	if s.t != nil {
		s.t.Free()
		s.t = nil
	}
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
