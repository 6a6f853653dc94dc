package library

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
)

// The types of noise normalisation of the feature extractor (sphinxbase, cmn_type_t).
const (
	CMNNone  int32 = 0 // none: the caller does it
	CMNBatch int32 = 1 // the mean of the whole utterance
	CMNLive  int32 = 2 // a running estimate
)

// Library holds the functions of libpocketsphinx.so.3 and libsphinxbase.so.3 that the packages for
// PocketSphinx call. They work on one decoder and keep no state between decoders, so different
// decoders may be used on different threads.
type Library struct {
	args      func() unsafe.Pointer
	parse     func(base, defs unsafe.Pointer, argc int32, argv unsafe.Pointer, strict int32) unsafe.Pointer
	StringArg func(config unsafe.Pointer, name string) string
	FreeArgs  func(config unsafe.Pointer) int32
	setLog    func(file unsafe.Pointer)
	setReport func(callback, data unsafe.Pointer)

	Init        func(config unsafe.Pointer) unsafe.Pointer
	Free        func(ps unsafe.Pointer) int32
	Config      func(ps unsafe.Pointer) unsafe.Pointer
	Feat        func(ps unsafe.Pointer) unsafe.Pointer
	Logmath     func(ps unsafe.Pointer) unsafe.Pointer
	StartStream func(ps unsafe.Pointer) int32
	StartUtt    func(ps unsafe.Pointer) int32
	EndUtt      func(ps unsafe.Pointer) int32
	Process     func(ps, samples unsafe.Pointer, n uintptr, noSearch, whole int32) int32
	ProcessCep  func(ps, frames unsafe.Pointer, n, noSearch, whole int32) int32
	Hyp         func(ps unsafe.Pointer, score *int32) string

	FEInit        func(config unsafe.Pointer) unsafe.Pointer
	FEFree        func(fe unsafe.Pointer) int32
	FEStartStream func(fe unsafe.Pointer)
	FEStartUtt    func(fe unsafe.Pointer) int32
	FEProcess     func(fe, samples, n, frames, room, index unsafe.Pointer) int32
	FEEndUtt      func(fe, frame, n unsafe.Pointer) int32

	LanguageModel func(ps unsafe.Pointer, search string) unsafe.Pointer
	AddWord       func(ps unsafe.Pointer, word, phones string, update int32) int32
	LMAddWord     func(lm unsafe.Pointer, word string, weight float32) int32
	LMWord        func(lm unsafe.Pointer, number int32) string

	SetFSG    func(ps unsafe.Pointer, name string, fsg unsafe.Pointer) int32
	SetSearch func(ps unsafe.Pointer, name string) int32

	SegIter   func(ps unsafe.Pointer) unsafe.Pointer
	SegNext   func(seg unsafe.Pointer) unsafe.Pointer
	SegWord   func(seg unsafe.Pointer) string
	SegFrames func(seg unsafe.Pointer, first, last *int32)
	SegProb   func(seg unsafe.Pointer, acoustic, language, backoff *int32) int32

	Exp       func(logmath unsafe.Pointer, value int32) float64
	CMNGet    func(cmn, mean unsafe.Pointer)
	CMNSet    func(cmn, mean unsafe.Pointer)
	CMNUpdate func(cmn unsafe.Pointer)

	FSGInit  func(name string, logmath unsafe.Pointer, weight float32, states int32) unsafe.Pointer
	FSGFree  func(fsg unsafe.Pointer) int32
	FSGWord  func(fsg unsafe.Pointer, word string) int32
	FSGTrans func(fsg unsafe.Pointer, from, to, logProb, word int32)
}

// Open loads the two libraries and silences their log, which would otherwise write a page to
// standard error for every decoder.
func Open() (*Library, error) {
	const hint = "(Debian package libpocketsphinx3)"
	base, err := purego.Dlopen("libsphinxbase.so.3", purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("load libsphinxbase.so.3 %s: %w", hint, err)
	}
	pocket, err := purego.Dlopen("libpocketsphinx.so.3", purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("load libpocketsphinx.so.3 %s: %w", hint, err)
	}
	l := &Library{}
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

func (l *Library) baseSymbols() map[string]any {
	return map[string]any{
		"cmd_ln_parse_r": &l.parse, "cmd_ln_str_r": &l.StringArg, "cmd_ln_free_r": &l.FreeArgs,
		"err_set_logfp": &l.setLog, "err_set_callback": &l.setReport, "logmath_exp": &l.Exp,
		"cmn_live_get": &l.CMNGet, "cmn_live_set": &l.CMNSet, "cmn_live_update": &l.CMNUpdate,
		"fe_init_auto_r": &l.FEInit, "fe_free": &l.FEFree, "fe_start_stream": &l.FEStartStream,
		"fe_start_utt":      &l.FEStartUtt,
		"fe_process_frames": &l.FEProcess, "fe_end_utt": &l.FEEndUtt,
		"ngram_model_add_word": &l.LMAddWord, "ngram_word": &l.LMWord,
		"fsg_model_init": &l.FSGInit, "fsg_model_free": &l.FSGFree,
		"fsg_model_word_add": &l.FSGWord, "fsg_model_trans_add": &l.FSGTrans,
	}
}

func (l *Library) pocketSymbols() map[string]any {
	return map[string]any{
		"ps_args": &l.args, "ps_init": &l.Init, "ps_free": &l.Free, "ps_get_config": &l.Config,
		"ps_get_feat": &l.Feat, "ps_get_logmath": &l.Logmath,
		"ps_start_stream": &l.StartStream, "ps_start_utt": &l.StartUtt, "ps_end_utt": &l.EndUtt,
		"ps_process_raw": &l.Process, "ps_process_cep": &l.ProcessCep, "ps_get_hyp": &l.Hyp,
		"ps_get_lm": &l.LanguageModel, "ps_add_word": &l.AddWord,
		"ps_set_fsg": &l.SetFSG, "ps_set_search": &l.SetSearch,
		"ps_seg_iter": &l.SegIter, "ps_seg_next": &l.SegNext, "ps_seg_word": &l.SegWord,
		"ps_seg_frames": &l.SegFrames, "ps_seg_prob": &l.SegProb,
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

// Field offsets in sphinxbase's feat_t and cmn_t (64-bit Debian, version 0.8+5prealpha). The
// library has no function that reads or sets the fields; prove the offsets before you use them.
const (
	FeatCMN       = 68 // int32, cmn_type_t
	FeatCMNStruct = 88 // *cmn_t
	CMNMean       = 0  // *float32
	CMNSum        = 16 // *float32
	CMNFrames     = 24 // int32
	CMNLength     = 28 // int32, values in mean and sum
)

// Int32At returns a field of a structure, which lies at an offset from its first byte.
func Int32At(p unsafe.Pointer, offset uintptr) *int32 { return (*int32)(unsafe.Add(p, offset)) }

// PointerAt returns the value of such a field that is a pointer.
func PointerAt(p unsafe.Pointer, offset uintptr) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Add(p, offset))
}
