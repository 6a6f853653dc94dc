package sphinx

import (
	"errors"
	"runtime/debug"
	"unsafe"

	"steno/session/asr/sphinx/library"
)

// Field offsets in sphinxbase's set of language models, in a model, its trie, and a level of that
// (64-bit Debian, version 0.8+5prealpha). [widen] proves them.
const (
	lmCounts   = 8   // *uint32: number of words, ...
	lmWords    = 20  // int32: number of words
	lmOrder    = 24  // byte
	setModels  = 96  // int32
	setList    = 104 // **ngram_model_t
	lmTrie     = 96  // *lm_trie_t, of a model that is no set
	trieMiddle = 24  // *level of the bigrams
	trieLast   = 40  // *level of the trigrams
	levelMask  = 4   // uint32: largest number of a word
	levelVocab = 20  // uint32: words of the model
)

// widen prepares a set of one trigram model for n more words. The library looks words up by
// interpolation below the number of words in the file: one with a higher number leads it far out of
// the table. The search is for where a word would be, so that a larger bound changes no result.
func widen(set unsafe.Pointer, n int) (err error) {
	refusal := errors.New("unknown build of libsphinxbase3, or a language model that is no trigram in the " +
		"library's format")
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			err = refusal
		}
	}()
	lm := only(set)
	if lm == nil {
		return refusal
	}
	words := *library.Int32At(lm, lmWords)
	if *(*byte)(unsafe.Add(lm, lmOrder)) != 3 || *library.Int32At(library.PointerAt(lm, lmCounts), 0) != words {
		return refusal
	}
	trie := library.PointerAt(lm, lmTrie)
	for _, level := range []unsafe.Pointer{library.PointerAt(trie, trieMiddle), library.PointerAt(trie, trieLast)} {
		mask, vocab := library.Int32At(level, levelMask), library.Int32At(level, levelVocab)
		if *vocab != words || *mask < words {
			return refusal
		}
		if *mask < words+int32(n) {
			return errors.New("the language model has no room for the vocabulary")
		}
	}
	for _, offset := range []uintptr{trieMiddle, trieLast} {
		*library.Int32At(library.PointerAt(trie, offset), levelVocab) = words + int32(n)
	}
	return nil
}

// only returns the model of a set of one, nil for another set. The set itself keeps the words of
// the dictionary.
func only(set unsafe.Pointer) unsafe.Pointer {
	if *library.Int32At(set, setModels) != 1 {
		return nil
	}
	return library.PointerAt(library.PointerAt(set, setList), 0)
}
