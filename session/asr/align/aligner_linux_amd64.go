package align

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"unsafe"

	"steno/session/asr/sphinx/library"
)

// engine loads aligners.
type engine struct {
	lib     *library.Library
	options []string
}

func openEngine(model string) (*engine, error) {
	if _, err := os.Stat(filepath.Join(model, "mdef")); err != nil {
		return nil, fmt.Errorf("acoustic model (Debian package pocketsphinx-en-us): %w", err)
	}
	lib, err := library.Open()
	if err != nil {
		return nil, err
	}
	return &engine{lib: lib, options: []string{
		"-hmm", model, "-dict", os.DevNull, "-cmn", "batch", "-dither", "no", "-bestpath", "no",
		// Frames that it removes would make all later times early.
		"-remove_silence", "no",
		// A path must survive words that were not spoken: with the library's beams many texts with
		// an error have none.
		"-beam", "1e-150", "-pbeam", "1e-150", "-wbeam", "1e-120",
		// Only the acoustic model counts; pauses are frequent, noises are not.
		"-lw", "1", "-wip", "1", "-silprob", "0.1",
		// As good as four densities. Those of fewer frames would be cheaper, but depend on what was
		// aligned before.
		"-topn", "2",
	}}, nil
}

// aligner is one ps_decoder_t. One goroutine at a time uses it, on whatever thread that runs.
type aligner struct {
	lib   *library.Library
	ps    unsafe.Pointer
	words map[string]bool // of its dictionary
}

// load makes an aligner with an empty dictionary.
func (e *engine) load() (*aligner, error) {
	ps, err := e.lib.NewDecoder(e.options)
	if err != nil {
		return nil, err
	}
	a := &aligner{lib: e.lib, ps: ps, words: map[string]bool{}}
	if err := a.warm(); err != nil {
		a.free()
		return nil, err
	}
	return a, nil
}

// warm aligns once: in the very first utterance the noise tracker has a state that it never has
// later.
func (a *aligner) warm() error {
	if err := a.learn("a", func(string) []string { return []string{"AH"} }); err != nil {
		return err
	}
	_, err := a.align(make([]int16, warmUp), &graph{states: 2, final: 1, arcs: []arc{{0, 1, "a"}}})
	return err
}

// warmUp is the length of the first utterance, in samples.
const warmUp = 4800

// learn adds a word with all of its pronunciations to the dictionary.
func (a *aligner) learn(word string, sounds func(string) []string) error {
	if a.words[word] {
		return nil
	}
	for i, phones := range sounds(word) {
		entry := word
		if i > 0 {
			entry += "(" + strconv.Itoa(i+1) + ")"
		}
		if a.lib.AddWord(a.ps, entry, phones, 0) < 0 {
			return fmt.Errorf("ps_add_word %q %q: refused", entry, phones)
		}
	}
	a.words[word] = true
	return nil
}

// align returns the path through a graph that fits the samples best; none if there is none. The
// aligner must have learned all words.
func (a *aligner) align(samples []int16, g *graph) ([]segment, error) {
	if err := a.set(g); err != nil {
		return nil, err
	}
	if code := a.lib.StartStream(a.ps); code < 0 {
		return nil, fmt.Errorf("ps_start_stream: %d", code)
	}
	if code := a.lib.StartUtt(a.ps); code < 0 {
		return nil, fmt.Errorf("ps_start_utt: %d", code)
	}
	code := a.lib.Process(a.ps, unsafe.Pointer(unsafe.SliceData(samples)), uintptr(len(samples)), 0, 1)
	runtime.KeepAlive(samples)
	end := a.lib.EndUtt(a.ps)
	if code < 0 || end < 0 {
		return nil, fmt.Errorf("ps_process_raw: %d, ps_end_utt: %d", code, end)
	}
	return a.path(), nil
}

func (a *aligner) path() []segment {
	var out []segment
	for it := a.lib.SegIter(a.ps); it != nil; it = a.lib.SegNext(it) {
		var first, last int32
		a.lib.SegFrames(it, &first, &last)
		out = append(out, segment{word: a.lib.SegWord(it), start: int(first), end: int(last) + 1})
	}
	return out
}

// searchName is the library's name for the search of the aligner.
const searchName = "align"

// Field offsets in sphinxbase's fsg_model_t (64-bit Debian, version 0.8+5prealpha), which has no
// function that sets the final state.
const (
	fsgReferences = 0  // int32
	fsgStates     = 56 // int32
	fsgFinal      = 64 // int32
	fsgWeight     = 68 // float32
)

// weight is the language weight; another value than 1 proves the field's offset.
const weight = 1.0

// set makes a graph the grammar of the next utterance.
func (a *aligner) set(g *graph) error {
	fsg := a.lib.FSGInit(searchName, a.lib.Logmath(a.ps), weight, int32(g.states))
	if fsg == nil {
		return errors.New("fsg_model_init: no memory")
	}
	defer a.lib.FSGFree(fsg) // the search retains it
	if err := finish(fsg, int32(g.states), int32(g.final)); err != nil {
		return err
	}
	for _, c := range g.arcs {
		a.lib.FSGTrans(fsg, int32(c.from), int32(c.to), 0, a.lib.FSGWord(fsg, c.word))
	}
	if code := a.lib.SetFSG(a.ps, searchName, fsg); code < 0 {
		return fmt.Errorf("ps_set_fsg: %d", code)
	}
	if n := *library.Int32At(fsg, fsgReferences); n != 2 {
		return fmt.Errorf("%d references to a grammar in use, want 2", n)
	}
	if code := a.lib.SetSearch(a.ps, searchName); code < 0 {
		return fmt.Errorf("ps_set_search: %d", code)
	}
	return nil
}

// finish sets the final state of an empty grammar.
func finish(fsg unsafe.Pointer, states, final int32) (err error) {
	refusal := errors.New("unknown build of libsphinxbase3 (expected Debian's 0.8+5prealpha)")
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			err = refusal
		}
	}()
	w := *(*float32)(unsafe.Add(fsg, fsgWeight))
	if *library.Int32At(fsg, fsgStates) != states || *library.Int32At(fsg, fsgFinal) != 0 || w != weight {
		return refusal
	}
	*library.Int32At(fsg, fsgFinal) = final
	return nil
}

func (a *aligner) free() {
	a.lib.Free(a.ps)
	a.ps = nil
}
