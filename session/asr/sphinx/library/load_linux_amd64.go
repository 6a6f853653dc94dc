package library

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

// Loading lets one decoder, or one feature extractor, load at a time in this process: the library's
// number parser and its frequency warping keep state in global variables. Decoding keeps none
// there.
var Loading sync.Mutex

// NewDecoder loads a ps_decoder_t with options as on the command line. The caller frees it.
func (l *Library) NewDecoder(options []string) (unsafe.Pointer, error) {
	Loading.Lock()
	defer Loading.Unlock()
	config, err := l.options(options)
	if err != nil {
		return nil, err
	}
	ps := l.Init(config)
	l.FreeArgs(config) // ps_init has retained it
	if ps == nil {
		return nil, errors.New("pocketsphinx cannot load the model (damaged, or of another version?)")
	}
	return ps, nil
}

// options makes a cmd_ln_t, which the caller owns.
func (l *Library) options(options []string) (unsafe.Pointer, error) {
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
