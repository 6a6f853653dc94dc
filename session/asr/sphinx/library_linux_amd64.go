package sphinx

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
)

// The types of noise normalisation of the feature extractor (sphinxbase, cmn_type_t).
const (
	cmnNone  int32 = 0 // none: the caller does it
	cmnBatch int32 = 1 // the mean of the whole utterance
	cmnLive  int32 = 2 // a running estimate
)

// library holds the functions of libpocketsphinx.so.3 and libsphinxbase.so.3 that this package calls. They work on one
// decoder and keep no state between decoders, so different decoders may be used on different threads.
type library struct {
	args      func() unsafe.Pointer
	parse     func(base, defs unsafe.Pointer, argc int32, argv unsafe.Pointer, strict int32) unsafe.Pointer
	stringArg func(config unsafe.Pointer, name string) string
	freeArgs  func(config unsafe.Pointer) int32
	setLog    func(file unsafe.Pointer)
	setReport func(callback, data unsafe.Pointer)

	init        func(config unsafe.Pointer) unsafe.Pointer
	free        func(ps unsafe.Pointer) int32
	config      func(ps unsafe.Pointer) unsafe.Pointer
	feat        func(ps unsafe.Pointer) unsafe.Pointer
	logmath     func(ps unsafe.Pointer) unsafe.Pointer
	startStream func(ps unsafe.Pointer) int32
	startUtt    func(ps unsafe.Pointer) int32
	endUtt      func(ps unsafe.Pointer) int32
	process     func(ps, samples unsafe.Pointer, n uintptr, noSearch, whole int32) int32
	processCep  func(ps, frames unsafe.Pointer, n, noSearch, whole int32) int32
	hyp         func(ps unsafe.Pointer, score *int32) string

	feInit        func(config unsafe.Pointer) unsafe.Pointer
	feFree        func(fe unsafe.Pointer) int32
	feStartStream func(fe unsafe.Pointer)
	feStartUtt    func(fe unsafe.Pointer) int32
	feProcess     func(fe, samples, n, frames, room, index unsafe.Pointer) int32
	feEndUtt      func(fe, frame, n unsafe.Pointer) int32

	languageModel func(ps unsafe.Pointer, search string) unsafe.Pointer
	addWord       func(ps unsafe.Pointer, word, phones string, update int32) int32
	lmAddWord     func(lm unsafe.Pointer, word string, weight float32) int32
	lmWord        func(lm unsafe.Pointer, number int32) string

	segIter   func(ps unsafe.Pointer) unsafe.Pointer
	segNext   func(seg unsafe.Pointer) unsafe.Pointer
	segWord   func(seg unsafe.Pointer) string
	segFrames func(seg unsafe.Pointer, first, last *int32)
	segProb   func(seg unsafe.Pointer, acoustic, language, backoff *int32) int32

	exp       func(logmath unsafe.Pointer, value int32) float64
	cmnGet    func(cmn, mean unsafe.Pointer)
	cmnSet    func(cmn, mean unsafe.Pointer)
	cmnUpdate func(cmn unsafe.Pointer)
}

// openLibrary loads the two libraries and silences their log, which would otherwise write a page to standard error for
// every decoder.
func openLibrary() (*library, error) {
	const hint = "(Debian package libpocketsphinx3)"
	base, err := purego.Dlopen("libsphinxbase.so.3", purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("load libsphinxbase.so.3 %s: %w", hint, err)
	}
	pocket, err := purego.Dlopen("libpocketsphinx.so.3", purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("load libpocketsphinx.so.3 %s: %w", hint, err)
	}
	l := &library{}
	if err := bind(base, l.baseSymbols()); err != nil {
		return nil, fmt.Errorf("libsphinxbase.so.3 %s: %w", hint, err)
	}
	if err := bind(pocket, l.pocketSymbols()); err != nil {
		return nil, fmt.Errorf("libpocketsphinx.so.3 %s: %w", hint, err)
	}
	l.setLog(nil)         // for tables of options
	l.setReport(nil, nil) // for everything else
	return l, nil
}

func (l *library) baseSymbols() map[string]any {
	return map[string]any{
		"cmd_ln_parse_r": &l.parse, "cmd_ln_str_r": &l.stringArg, "cmd_ln_free_r": &l.freeArgs,
		"err_set_logfp": &l.setLog, "err_set_callback": &l.setReport, "logmath_exp": &l.exp,
		"cmn_live_get": &l.cmnGet, "cmn_live_set": &l.cmnSet, "cmn_live_update": &l.cmnUpdate,
		"fe_init_auto_r": &l.feInit, "fe_free": &l.feFree, "fe_start_stream": &l.feStartStream, "fe_start_utt": &l.feStartUtt,
		"fe_process_frames": &l.feProcess, "fe_end_utt": &l.feEndUtt,
		"ngram_model_add_word": &l.lmAddWord, "ngram_word": &l.lmWord,
	}
}

func (l *library) pocketSymbols() map[string]any {
	return map[string]any{
		"ps_args": &l.args, "ps_init": &l.init, "ps_free": &l.free, "ps_get_config": &l.config,
		"ps_get_feat": &l.feat, "ps_get_logmath": &l.logmath,
		"ps_start_stream": &l.startStream, "ps_start_utt": &l.startUtt, "ps_end_utt": &l.endUtt,
		"ps_process_raw": &l.process, "ps_process_cep": &l.processCep, "ps_get_hyp": &l.hyp,
		"ps_get_lm": &l.languageModel, "ps_add_word": &l.addWord,
		"ps_seg_iter": &l.segIter, "ps_seg_next": &l.segNext, "ps_seg_word": &l.segWord,
		"ps_seg_frames": &l.segFrames, "ps_seg_prob": &l.segProb,
	}
}

// bind points each function variable at its symbol. purego itself would panic if one is missing.
func bind(handle uintptr, symbols map[string]any) error {
	for name, fn := range symbols {
		address, err := purego.Dlsym(handle, name)
		if err != nil {
			return fmt.Errorf("symbol %s: %w", name, err)
		}
		purego.RegisterFunc(fn, address)
	}
	return nil
}

// Field offsets in sphinxbase's feat_t and cmn_t (64-bit Debian, version 0.8+5prealpha). The library has no function
// that reads or sets the fields; [decoder.checkLayout] proves the offsets before they are used.
const (
	featCMN       = 68 // int32, cmn_type_t
	featCMNStruct = 88 // *cmn_t
	cmnMean       = 0  // *float32
	cmnSum        = 16 // *float32
	cmnFrames     = 24 // int32
	cmnLength     = 28 // int32, values in mean and sum
)

func int32At(p unsafe.Pointer, offset uintptr) *int32 { return (*int32)(unsafe.Add(p, offset)) }

func pointerAt(p unsafe.Pointer, offset uintptr) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Add(p, offset))
}
