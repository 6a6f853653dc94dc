//go:build !(linux && cgo && (amd64 || arm64 || arm))

package capabilities

import (
	"fmt"

	"steno/session/asr"
	"steno/session/asr/sherpa/folder"
)

var errUnsupported = fmt.Errorf("%w: this build is without the library: it takes Linux on amd64, arm64 or arm, and cgo",
	asr.ErrUnavailable)

func loadIdentifier(folder.Model, int) (identifierLibrary, error) { return nil, errUnsupported }

func loadPunctuator(folder.Model, int) (punctuatorLibrary, error) { return nil, errUnsupported }

func loadDiarizer(string, string, int) (diarizerLibrary, error) { return nil, errUnsupported }

func loadDenoiser(folder.Model, int) (denoiserLibrary, error) { return nil, errUnsupported }
