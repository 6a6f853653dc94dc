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
	"sync"
	"unsafe"
)

// minSamples is one analysis window of the feature extractor (25.625 ms): less audio makes no frame, and no word.
const minSamples = 410

// decoder is one ps_decoder_t, about 100 MB. It is driven by one goroutine at a time, on whatever thread that runs.
type decoder struct {
	lib *library
	ps  unsafe.Pointer
	cmn unsafe.Pointer // the decoder's cmn_t
}

// models loads decoders for one configuration.
type models struct {
	lib  *library
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
	lib, err := openLibrary()
	if err != nil {
		return nil, err
	}
	dict, err := readDictionary(c.Dict)
	if err != nil {
		return nil, err
	}
	return &models{
		lib: lib,
		base: []string{"-hmm", c.Model, "-lm", c.LM, "-dict", c.Dict,
			"-cmn", "batch", "-dither", "no", "-remove_silence", "no", "-fwdflat", "no"},
		fine: c.Accurate,
		dict: dict,
	}, nil
}

// Dictionary of all decoders.
func (m *models) Dictionary() *dictionary { return m.dict }

// Final loads a decoder for whole utterances. The first completes the dictionary.
func (m *models) Final() (finalDecoder, error) {
	d, err := m.whole()
	if err != nil {
		return nil, err
	}
	if m.dict.modeled == nil {
		m.dict.modeled = d.modeled()
	}
	return d, d.warm()
}

// whole loads a decoder for whole utterances. -compallsen keeps senone scores of the utterance before from showing
// through in scores and posteriors.
func (m *models) whole() (*wholeDecoder, error) {
	options := []string{"-bestpath", "yes", "-compallsen", "yes"}
	if m.fine {
		options = append(options, "-maxhmmpf", "10000", "-beam", "1e-60", "-pbeam", "1e-60", "-wbeam", "1e-35")
	} else {
		options = append(options, "-maxhmmpf", "6000")
	}
	d, err := m.load(options)
	if err != nil {
		return nil, err
	}
	return &wholeDecoder{decoder: d}, nil
}

// modeled are the words of the language model; none where the library's build is not the one whose structures are known.
func (d *wholeDecoder) modeled() (words map[string]bool) {
	words = map[string]bool{}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { _ = recover() }()
	if lm := only(d.lib.languageModel(d.ps, searchName)); lm != nil {
		for i := range *int32At(lm, lmWords) {
			words[d.lib.lmWord(lm, i)] = true
		}
	}
	return words
}

// Live loads a decoder for utterances still being spoken, at about two thirds of the cost of the final search.
func (m *models) Live() (liveDecoder, error) {
	d, err := m.load([]string{"-bestpath", "no", "-maxhmmpf", "3000", "-topn", "2"})
	if err != nil {
		return nil, err
	}
	return &growingDecoder{decoder: d, prior: d.mean()}, nil
}

// loading lets one decoder load at a time in this process: the library's number parser and its frequency warping keep
// state in global variables. Decoding keeps none.
var loading sync.Mutex

func (m *models) load(options []string) (*decoder, error) {
	loading.Lock()
	defer loading.Unlock()
	config, err := m.lib.options(append(append([]string{}, m.base...), options...))
	if err != nil {
		return nil, err
	}
	ps := m.lib.init(config)
	m.lib.freeArgs(config) // ps_init has retained it
	if ps == nil {
		return nil, errors.New("pocketsphinx cannot load the model (damaged, or of another version?)")
	}
	d := &decoder{lib: m.lib, ps: ps}
	if err := d.checkLayout(); err != nil {
		d.Free()
		return nil, err
	}
	return d, nil
}

// options makes a cmd_ln_t, owned by the caller.
func (l *library) options(options []string) (unsafe.Pointer, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	argv := make([]*byte, 0, len(options)+1)
	for _, o := range append([]string{"steno"}, options...) {
		if strings.IndexByte(o, 0) >= 0 {
			return nil, errors.New("sphinx option holds a zero byte")
		}
		c := append([]byte(o), 0)
		pin.Pin(&c[0])
		argv = append(argv, &c[0])
	}
	config := l.parse(nil, l.args(), int32(len(argv)), unsafe.Pointer(&argv[0]), 1)
	if config == nil {
		return nil, errors.New("pocketsphinx refuses its options")
	}
	return config, nil
}

// checkLayout proves that the field offsets hold in the library loaded: the type of normalisation must read "batch",
// and the initial mean must be the one in the model's own options (-cmninit). A wild pointer met on the way is an error,
// not the end of the process.
func (d *decoder) checkLayout() (err error) {
	const refusal = "unknown build of libsphinxbase3 (expected Debian's 0.8+5prealpha)"
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			err = errors.New(refusal)
		}
	}()
	feat := d.lib.feat(d.ps)
	if feat == nil || *int32At(feat, featCMN) != cmnBatch {
		return errors.New(refusal + ", or a model without -cmn batch")
	}
	d.cmn = pointerAt(feat, featCMNStruct)
	if n := *int32At(d.cmn, cmnLength); n < 1 || n > 256 {
		return errors.New(refusal)
	}
	mean := unsafe.Slice((*float32)(pointerAt(d.cmn, cmnMean)), *int32At(d.cmn, cmnLength))
	for i, s := range strings.Split(d.lib.stringArg(d.lib.config(d.ps), "-cmninit"), ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 32)
		if err != nil || i >= len(mean) || mean[i] != float32(v) {
			return errors.New(refusal + ", or a model without -cmninit")
		}
	}
	return nil
}

// mean copies the present cepstral mean.
func (d *decoder) mean() []float32 {
	m := make([]float32, *int32At(d.cmn, cmnLength))
	d.lib.cmnGet(d.cmn, unsafe.Pointer(&m[0]))
	return m
}

// Free gives the memory back. The decoder must be idle and is never used again.
func (d *decoder) Free() {
	d.lib.free(d.ps)
	d.ps = nil
}

func (d *decoder) start() error {
	// Without a new stream the noise tracker and the frame count go on from the utterance before.
	if code := d.lib.startStream(d.ps); code < 0 {
		return fmt.Errorf("ps_start_stream: %d", code)
	}
	if code := d.lib.startUtt(d.ps); code < 0 {
		return fmt.Errorf("ps_start_utt: %d", code)
	}
	return nil
}

func (d *decoder) feed(samples []int16, whole int32) error {
	code := d.lib.process(d.ps, unsafe.Pointer(unsafe.SliceData(samples)), uintptr(len(samples)), 0, whole)
	runtime.KeepAlive(samples)
	if code < 0 {
		return fmt.Errorf("ps_process_raw: %d", code)
	}
	return nil
}

// wholeDecoder never sees a growing utterance: the first one would switch its normalisation to live for good.
type wholeDecoder struct{ *decoder }

// warm makes the decoder one that has decoded before: the very first utterance finds its noise tracker in a state no
// later one does. It frees the decoder where it fails.
func (d *wholeDecoder) warm() error {
	if _, err := d.Decode(make([]int16, 4800)); err != nil {
		d.Free()
		return fmt.Errorf("warm up: %w", err)
	}
	return nil
}

func (d *wholeDecoder) Decode(samples []int16) ([]segment, error) {
	if len(samples) < minSamples {
		return nil, nil
	}
	if err := d.start(); err != nil {
		return nil, err
	}
	err := d.feed(samples, 1)
	if code := d.lib.endUtt(d.ps); code < 0 && err == nil {
		err = fmt.Errorf("ps_end_utt: %d", code)
	}
	if err != nil {
		return nil, err
	}
	return d.segments(), nil
}

// scoreUnit makes natural logarithms of the library's scores (-logbase 1.0001).
const scoreUnit = 1e-4

// segments reads the best path. The hypothesis is asked for first: that is what builds the lattice and its posteriors.
func (d *wholeDecoder) segments() []segment {
	var score int32
	if d.lib.hyp(d.ps, &score) == "" {
		return nil
	}
	var out []segment
	log := d.lib.logmath(d.ps)
	for it := d.lib.segIter(d.ps); it != nil; it = d.lib.segNext(it) {
		var first, last, acoustic, language, backoff int32
		d.lib.segFrames(it, &first, &last)
		p := d.lib.segProb(it, &acoustic, &language, &backoff)
		out = append(out, segment{
			word: d.lib.segWord(it), start: int(first), end: int(last) + 1, posterior: d.lib.exp(log, p),
			acoustic: float64(acoustic) * scoreUnit / float64(last-first+1),
		})
	}
	return out
}

// growingDecoder decodes an utterance while it is spoken. Its mean starts from the model's and adapts quickly: the prior
// weighs priorFrames frames and the mean is renewed with every chunk, where the library itself would keep the model's
// mean for the first eight seconds.
type growingDecoder struct {
	*decoder
	prior  []float32
	inside bool // an utterance is under way
}

// priorFrames is the weight of the model's mean against the utterance's own frames (10 ms each).
const priorFrames = 50

func (d *growingDecoder) Begin() error {
	if d.inside {
		d.inside = false
		if code := d.lib.endUtt(d.ps); code < 0 {
			return fmt.Errorf("ps_end_utt: %d", code)
		}
	}
	*int32At(d.lib.feat(d.ps), featCMN) = cmnLive
	d.lib.cmnSet(d.cmn, unsafe.Pointer(&d.prior[0]))
	sum := unsafe.Slice((*float32)(pointerAt(d.cmn, cmnSum)), len(d.prior))
	for i, v := range d.prior {
		sum[i] = v * priorFrames
	}
	*int32At(d.cmn, cmnFrames) = priorFrames
	if err := d.start(); err != nil {
		return err
	}
	d.inside = true
	return nil
}

func (d *growingDecoder) Feed(samples []int16) (string, error) {
	if err := d.feed(samples, 0); err != nil {
		return "", err
	}
	d.lib.cmnUpdate(d.cmn)
	var score int32
	return d.lib.hyp(d.ps, &score), nil
}
