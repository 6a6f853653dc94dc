//go:build linux && cgo && (amd64 || arm64)

package network

/*
#include <malloc.h>

// Each thread that computes would have memory of its own, which keeps the most that it ever needed.
// What is freed is kept for the next decode, up to a bound: to get it from the system each time
// costs a tenth of the processor time.
static void share_memory(void) {
	mallopt(M_ARENA_MAX, 2);
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 32 << 20);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	_ "github.com/k2-fsa/sherpa-onnx-go-linux" // links the library
	ort "github.com/yalue/onnxruntime_go"
)

// Supported is set if this build has the library.
const Supported = true

// library is the name under which the process has the library already, since sherpa-onnx is linked
// with it.
const library = "libonnxruntime.so"

// environment starts the library, once for the process.
var environment = sync.OnceValue(func() error {
	C.share_memory()
	ort.SetSharedLibraryPath(library)
	if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
		return fmt.Errorf("start ONNX Runtime: %w", err)
	}
	return nil
})

// Network is a loaded model. Any goroutine may call its methods; what changes lives in its
// [Decoder]s.
type Network struct {
	encoder, decoder *ort.DynamicAdvancedSession
	options          *ort.SessionOptions
	cached, uncached ort.Value // the two values of use_cache_branch
	flags            [2]buffer[bool]

	width, heads, size, tokens int64
	layers                     []layer
}

// layer names the inputs of one layer's cache, without their prefix.
type layer struct{ selfKey, selfValue, crossKey, crossValue string }

func (l layer) self() []string  { return []string{l.selfKey, l.selfValue} }
func (l layer) cross() []string { return []string{l.crossKey, l.crossValue} }

// Load loads the model of a folder. Each network runs on the goroutine that calls it, on one
// thread. Errors are those of files that are missing or no merged Moonshine export.
func Load(dir string) (_ *Network, err error) {
	for _, name := range []string{encoderFile, decoderFile} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return nil, fmt.Errorf("load model: %w", err)
		}
	}
	if err := environment(); err != nil {
		return nil, err
	}
	n := &Network{}
	defer func() {
		if err != nil {
			err = errors.Join(err, n.Close())
		}
	}()
	if n.options, err = options(); err != nil {
		return nil, fmt.Errorf("load model: %w", err)
	}
	path := filepath.Join(dir, decoderFile)
	if err := n.inspect(path); err != nil {
		return nil, fmt.Errorf("%s: %w", decoderFile, err)
	}
	// Passes bind inputs and outputs by name, so the session needs no list of them.
	if n.decoder, err = ort.NewDynamicAdvancedSession(path, nil, nil, n.options); err != nil {
		return nil, fmt.Errorf("%s: %w", decoderFile, err)
	}
	n.encoder, err = ort.NewDynamicAdvancedSession(filepath.Join(dir, encoderFile),
		[]string{"input_values", "attention_mask"}, []string{"last_hidden_state"}, n.options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", encoderFile, err)
	}
	return n, n.makeFlags()
}

func options() (*ort.SessionOptions, error) {
	o, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	// Without the arena, memory is freed when a decode finishes; the arena keeps the peak of all
	// that ran together.
	err = errors.Join(o.SetIntraOpNumThreads(1), o.SetInterOpNumThreads(1), o.SetCpuMemArena(false))
	if err != nil {
		return nil, errors.Join(err, o.Destroy())
	}
	return o, nil
}

func (n *Network) makeFlags() (err error) {
	n.flags[0].size(1)[0] = false
	n.flags[1].size(1)[0] = true
	if n.uncached, err = n.flags[0].tensor(1); err != nil {
		return err
	}
	n.cached, err = n.flags[1].tensor(1)
	return err
}

// inspect reads sizes from the decoder's inputs and outputs.
func (n *Network) inspect(path string) error {
	inputs, outputs, err := ort.GetInputOutputInfoWithOptions(path, n.options)
	if err != nil {
		return err
	}
	for _, in := range inputs {
		name, past := strings.CutPrefix(in.Name, "past_key_values.")
		switch {
		case in.Name == "encoder_hidden_states" && len(in.Dimensions) == 3:
			n.width = in.Dimensions[2]
		case past && len(in.Dimensions) == 4 && strings.HasSuffix(name, ".decoder.key"):
			n.heads, n.size = in.Dimensions[1], in.Dimensions[3]
			number := strings.TrimSuffix(name, ".decoder.key")
			n.layers = append(n.layers, layer{name, number + ".decoder.value", number + ".encoder.key",
				number + ".encoder.value"})
		}
	}
	for _, out := range outputs {
		if out.Name == "logits" && len(out.Dimensions) == 3 {
			n.tokens = out.Dimensions[2]
		}
	}
	if min(n.width, n.heads, n.size, n.tokens) <= 0 {
		return errors.New("not the merged decoder of a Moonshine model")
	}
	return nil
}

// Tokens returns how many tokens the model knows.
func (n *Network) Tokens() int { return int(n.tokens) }

// Close frees the model. Its decoders must be closed before.
func (n *Network) Close() error {
	var errs []error
	for _, s := range []*ort.DynamicAdvancedSession{n.encoder, n.decoder} {
		if s != nil {
			errs = append(errs, s.Destroy())
		}
	}
	for _, v := range []ort.Value{n.cached, n.uncached} {
		if v != nil {
			errs = append(errs, v.Destroy())
		}
	}
	for i := range n.flags {
		n.flags[i].free()
	}
	if n.options != nil {
		errs = append(errs, n.options.Destroy())
	}
	*n = Network{}
	return errors.Join(errs...)
}
