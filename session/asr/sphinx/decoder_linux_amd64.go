package sphinx

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"unsafe"

	"steno/session/asr/sphinx/library"
	"steno/session/asr/sphinx/pronounce"
)

// minSamples is one analysis window of the feature extractor (25.625 ms). Less audio makes no frame
// and no word.
const minSamples = 410

// decoder is one ps_decoder_t, about 100 MB. One goroutine at a time uses it, on whatever thread
// that runs.
type decoder struct {
	lib *library.Library
	ps  unsafe.Pointer
	cmn unsafe.Pointer // the decoder's cmn_t
}

// models loads decoders for one configuration.
type models struct {
	lib  *library.Library
	base []string // options all decoders share
	fine bool
	dict *dictionary
}

func loadModels(c Config) (*models, error) {
	for _, f := range []string{filepath.Join(c.Model, "mdef"), c.LM, c.Dict} {
		if _, err := os.Stat(f); err != nil {
			return nil, fmt.Errorf("sphinx model (Debian package pocketsphinx-en-us): %w", err)
		}
	}
	lib, err := library.Open()
	if err != nil {
		return nil, err
	}
	dict, err := pronounce.Read(c.Dict)
	if err != nil {
		return nil, err
	}
	return &models{
		lib: lib,
		base: []string{"-hmm", c.Model, "-lm", c.LM, "-dict", c.Dict,
			"-cmn", "batch", "-dither", "no", "-remove_silence", "no"},
		fine: c.Accurate,
		dict: &dictionary{Dictionary: dict},
	}, nil
}

// Dictionary implements [loader].
func (m *models) Dictionary() *dictionary { return m.dict }

// Final implements [loader]. The first call completes the dictionary.
func (m *models) Final() (finalDecoder, error) {
	d, err := m.final()
	if err != nil {
		return nil, err
	}
	if m.dict.languageModelWords == nil {
		m.dict.languageModelWords = d.languageModelWords()
	}
	return d, d.warm()
}

// final loads a decoder for finals.
func (m *models) final() (*laggedDecoder, error) {
	options := []string{"-fwdflat", "no", "-bestpath", "yes"}
	if m.fine {
		options = append(options, "-maxhmmpf", "10000", "-beam", "1e-60", "-pbeam", "1e-60", "-wbeam", "1e-35")
	} else {
		options = append(options, "-maxhmmpf", "6000")
	}
	d, err := m.load(options)
	if err != nil {
		return nil, err
	}
	return newLaggedDecoder(d)
}

// languageModelWords returns the words of the language model; none if the library's build is not
// the one whose structures are known.
func (d *decoder) languageModelWords() (words map[string]bool) {
	words = map[string]bool{}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { _ = recover() }()
	if lm := only(d.lib.LanguageModel(d.ps, searchName)); lm != nil {
		for i := range *library.Int32At(lm, lmWords) {
			words[d.lib.LMWord(lm, i)] = true
		}
	}
	return words
}

// Live loads a decoder for utterances that are being spoken, at about two fifths of the cost of the
// final search: it looks for the best densities in every other frame, and keeps half as many
// states.
func (m *models) Live() (liveDecoder, error) {
	d, err := m.load([]string{"-fwdflat", "no", "-bestpath", "no", "-maxhmmpf", "1500", "-topn", "2", "-ds", "2"})
	if err != nil {
		return nil, err
	}
	return &streamingDecoder{decoder: d, prior: d.mean()}, nil
}

func (m *models) load(options []string) (*decoder, error) {
	ps, err := m.lib.NewDecoder(append(append([]string{}, m.base...), options...))
	if err != nil {
		return nil, err
	}
	d := &decoder{lib: m.lib, ps: ps}
	if err := d.checkLayout(); err != nil {
		d.Free()
		return nil, err
	}
	return d, nil
}

// checkLayout proves that the field offsets hold in the loaded library: the type of normalisation
// must read "batch", and the initial mean must be the one in the model's own options (-cmninit). A
// wild pointer on the way is an error, not the end of the process.
func (d *decoder) checkLayout() (err error) {
	const refusal = "unknown build of libsphinxbase3 (expected Debian's 0.8+5prealpha)"
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			err = errors.New(refusal)
		}
	}()
	feat := d.lib.Feat(d.ps)
	if feat == nil || *library.Int32At(feat, library.FeatCMN) != library.CMNBatch {
		return errors.New(refusal + ", or a model without -cmn batch")
	}
	d.cmn = library.PointerAt(feat, library.FeatCMNStruct)
	if n := *library.Int32At(d.cmn, library.CMNLength); n < 1 || n > 256 {
		return errors.New(refusal)
	}
	mean := unsafe.Slice((*float32)(library.PointerAt(d.cmn, library.CMNMean)),
		*library.Int32At(d.cmn, library.CMNLength))
	for i, s := range strings.Split(d.lib.StringArg(d.lib.Config(d.ps), "-cmninit"), ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 32)
		if err != nil || i >= len(mean) || mean[i] != float32(v) {
			return errors.New(refusal + ", or a model without -cmninit")
		}
	}
	return nil
}

// mean copies the current cepstral mean.
func (d *decoder) mean() []float32 {
	m := make([]float32, *library.Int32At(d.cmn, library.CMNLength))
	d.lib.CMNGet(d.cmn, unsafe.Pointer(&m[0]))
	return m
}

// Free releases the memory. The decoder must be idle and is never used again.
func (d *decoder) Free() {
	d.lib.Free(d.ps)
	d.ps = nil
}

func (d *decoder) start() error {
	// Without a new stream the noise tracker and the frame count continue from the previous
	// utterance.
	if code := d.lib.StartStream(d.ps); code < 0 {
		return fmt.Errorf("ps_start_stream: %d", code)
	}
	if code := d.lib.StartUtt(d.ps); code < 0 {
		return fmt.Errorf("ps_start_utt: %d", code)
	}
	return nil
}

func (d *decoder) feed(samples []int16, whole int32) error {
	code := d.lib.Process(d.ps, unsafe.Pointer(unsafe.SliceData(samples)), uintptr(len(samples)), 0, whole)
	runtime.KeepAlive(samples)
	if code < 0 {
		return fmt.Errorf("ps_process_raw: %d", code)
	}
	return nil
}

// scoreUnit converts the library's scores to natural logarithms (-logbase 1.0001).
const scoreUnit = 1e-4

// segments reads the best path. It asks for the hypothesis first, which builds the lattice and its
// posteriors.
func (d *decoder) segments() []segment {
	var score int32
	if d.lib.Hyp(d.ps, &score) == "" {
		return nil
	}
	var out []segment
	log := d.lib.Logmath(d.ps)
	for it := d.lib.SegIter(d.ps); it != nil; it = d.lib.SegNext(it) {
		var first, last, acoustic, language, backoff int32
		d.lib.SegFrames(it, &first, &last)
		p := d.lib.SegProb(it, &acoustic, &language, &backoff)
		out = append(out, segment{
			word: d.lib.SegWord(it), start: int(first), end: int(last) + 1, posterior: d.lib.Exp(log, p),
			acoustic: float64(acoustic) * scoreUnit / float64(last-first+1),
		})
	}
	return out
}

// streamingDecoder decodes an utterance while it is spoken. Its mean starts as the model's and
// adapts quickly: the model's mean weighs as much as priorFrames frames, and the mean is updated
// with every chunk, where the library itself would keep the model's for the first eight seconds.
type streamingDecoder struct {
	*decoder
	prior  []float32
	inside bool // an utterance is under way
}

// priorFrames is the weight of the model's mean against the utterance's own frames (10 ms each).
const priorFrames = 50

func (d *streamingDecoder) Begin() error {
	if d.inside {
		d.inside = false
		if code := d.lib.EndUtt(d.ps); code < 0 {
			return fmt.Errorf("ps_end_utt: %d", code)
		}
	}
	*library.Int32At(d.lib.Feat(d.ps), library.FeatCMN) = library.CMNLive
	d.lib.CMNSet(d.cmn, unsafe.Pointer(&d.prior[0]))
	sum := unsafe.Slice((*float32)(library.PointerAt(d.cmn, library.CMNSum)), len(d.prior))
	for i, v := range d.prior {
		sum[i] = v * priorFrames
	}
	*library.Int32At(d.cmn, library.CMNFrames) = priorFrames
	if err := d.start(); err != nil {
		return err
	}
	d.inside = true
	return nil
}

func (d *streamingDecoder) Feed(samples []int16) (string, error) {
	if err := d.feed(samples, 0); err != nil {
		return "", err
	}
	d.lib.CMNUpdate(d.cmn)
	var score int32
	return d.lib.Hyp(d.ps, &score), nil
}
