//go:build !(linux && amd64)

package align

import "errors"

type engine struct{}

func openEngine(string) (*engine, error) {
	return nil, errors.New("pocketsphinx is only bound on linux/amd64")
}

type aligner struct{ words map[string]bool }

const warmUp = 4800

func (*engine) load() (*aligner, error)                    { return nil, errors.ErrUnsupported }
func (*aligner) learn(string, func(string) []string) error { return errors.ErrUnsupported }
func (*aligner) align([]int16, *graph) ([]segment, error)  { return nil, errors.ErrUnsupported }
func (*aligner) free()                                     {}
