package sphinx

import (
	"errors"
	"iter"
	"runtime/debug"
	"unsafe"

	"steno/session/asr/sphinx/library"
)

// Field offsets in pocketsphinx's ps_decoder_t, acmod_t, ngram_search_t and hmm_t (64-bit Debian,
// version 0.8+5prealpha). [decoder.proveRoots] proves them.
const (
	decoderAcmod  = 16 // *acmod_t
	decoderSearch = 56 // *ngram_search_t

	acmodConfig  = 0  // *cmd_ln_t, the decoder's
	acmodLogmath = 8  // *logmath_t, the decoder's
	acmodFeat    = 32 // *feat_t, the decoder's

	searchConfig      = 32  // *cmd_ln_t, the decoder's
	searchAcmod       = 40  // *acmod_t, the decoder's
	searchLM          = 112 // *ngram_model_t, the decoder's
	searchContext     = 120 // *hmm_context_t
	searchRoots       = 160 // *root_chan_t: the first phones of words
	searchRootCount   = 172 // int32
	searchSingles     = 184 // *root_chan_t: words of one phone
	searchSingleCount = 224 // int32

	rootSize     = 112 // of a root_chan_t, which begins with an hmm_t
	hmmContext   = 0   // *hmm_context_t, the search's
	hmmSequences = 58  // [5]uint16: the senones of each state's left context
	hmmMultiplex = 80  // byte, 1: the field before has that meaning
	hmmStates    = 81  // byte: how many of these are in use
)

// noSequence marks a state without left context.
const noSequence = 0xffff

// roots iterates over the hmm_t of first phones. They are those of all utterances of the decoder.
func (d *decoder) roots() iter.Seq[unsafe.Pointer] {
	return func(yield func(unsafe.Pointer) bool) {
		search := library.PointerAt(d.ps, decoderSearch)
		for at, count := range map[uintptr]uintptr{searchRoots: searchRootCount, searchSingles: searchSingleCount} {
			first := library.PointerAt(search, at)
			for i := range *library.Int32At(search, count) {
				if !yield(unsafe.Add(first, uintptr(i)*rootSize)) {
					return
				}
			}
		}
	}
}

// forgetContexts takes from first phones the left contexts that the utterance before has left in
// states that are not in use. The library would score their senones as well, and count scores from
// the best of all: those of an utterance would be a little different after another.
func (d *decoder) forgetContexts() {
	for hmm := range d.roots() {
		n := *(*byte)(unsafe.Add(hmm, hmmStates))
		for i := 1; i < int(n); i++ {
			*(*uint16)(unsafe.Add(hmm, hmmSequences+2*i)) = noSequence
		}
	}
}

// proveRoots proves the offsets: pointers must be those that the decoder tells, and all first
// phones of one kind.
func (d *decoder) proveRoots() (err error) {
	refusal := errors.New("unknown build of libpocketsphinx3 (expected Debian's 0.8+5prealpha)")
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			err = refusal
		}
	}()
	acmod, search, config := library.PointerAt(d.ps, decoderAcmod), library.PointerAt(d.ps, decoderSearch),
		d.lib.Config(d.ps)
	if library.PointerAt(acmod, acmodConfig) != config || library.PointerAt(acmod, acmodLogmath) !=
		d.lib.Logmath(d.ps) ||
		library.PointerAt(acmod, acmodFeat) != d.lib.Feat(d.ps) || library.PointerAt(search, searchConfig) != config ||
		library.PointerAt(search, searchAcmod) != acmod || library.PointerAt(search, searchLM) !=
		d.lib.LanguageModel(d.ps, searchName) {
		return refusal
	}
	n := 0
	for hmm := range d.roots() {
		states := *(*byte)(unsafe.Add(hmm, hmmStates))
		if library.PointerAt(hmm, hmmContext) != library.PointerAt(search, searchContext) ||
			*(*byte)(unsafe.Add(hmm, hmmMultiplex)) != 1 ||
			states < 1 || states > 5 {
			return refusal
		}
		n++
	}
	if n == 0 {
		return refusal
	}
	return nil
}
