package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// ManifestName is the name of the manifest in a model's folder.
const ManifestName = "model.json"

// Bounds of a manifest, which may come with a model from anywhere.
const (
	maxManifest = 4 << 20 // bytes
	maxFiles    = 4096
)

// Manifest describes an installed model and its files.
type Manifest struct {
	Name string `json:"name"`
	// Languages are codes of the API; empty for a model that does not depend on the language.
	Languages []string `json:"languages"`
	// Kind is how the model is loaded. It may be empty.
	Kind    Kind   `json:"kind,omitempty"`
	Licence string `json:"licence,omitempty"`
	// Source is the address that it was fetched from, or the URL of a package.
	Source string `json:"source,omitempty"`
	// Verified is what the download was checked against; empty: it was not.
	Verified string `json:"verified,omitempty"`
	Files    []File `json:"files"`
}

// File is one file of an installed model.
type File struct {
	// Name is the path within the model's folder, with slashes.
	Name   string `json:"name"`
	Size   int64  `json:"size"`   // bytes
	SHA256 string `json:"sha256"` // of its bytes, hexadecimal
}

// ErrNoManifest is returned by [ReadManifest] for a folder without a manifest.
var ErrNoManifest = errors.New("no " + ManifestName)

// ReadManifest reads the manifest of the model in dir. It does not look at the model's files:
// [Verify] does.
func ReadManifest(dir string) (Manifest, error) {
	file, err := os.Open(filepath.Join(dir, ManifestName))
	if errors.Is(err, os.ErrNotExist) {
		return Manifest{}, fmt.Errorf("%s: %w", dir, ErrNoManifest)
	}
	if err != nil {
		return Manifest{}, err
	}
	defer file.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(io.LimitReader(file, maxManifest+1))
	if err != nil {
		return Manifest{}, err
	}
	m, err := parseManifest(text)
	if err != nil {
		return Manifest{}, fmt.Errorf("%s: %w", file.Name(), err)
	}
	return m, nil
}

// parseManifest refuses unknown keys, paths that lead out of the folder, and files named twice.
func parseManifest(text []byte) (Manifest, error) {
	var m Manifest
	if len(text) > maxManifest {
		return m, fmt.Errorf("larger than %d bytes", maxManifest)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, err
	}
	if len(m.Files) > maxFiles {
		return m, fmt.Errorf("files: more than %d", maxFiles)
	}
	seen := make(map[string]bool, len(m.Files))
	for i, f := range m.Files {
		if err := f.check(); err != nil {
			return m, fmt.Errorf("files[%d]: %w", i, err)
		}
		if seen[f.Name] {
			return m, fmt.Errorf("files[%d]: %q is there twice", i, f.Name)
		}
		seen[f.Name] = true
	}
	return m, nil
}

func (f File) check() error {
	switch {
	case !inside(f.Name):
		return fmt.Errorf("name: %q is not a path within the folder", f.Name)
	case f.Size < 0:
		return errors.New("size: negative")
	case !isSHA256(f.SHA256):
		return errors.New("sha256: not 64 hexadecimal digits")
	}
	return nil
}

// inside reports whether a path with slashes stays in its folder and means the same on every
// system: it is clean, relative, UTF-8, and has no backslash, colon, control character or NUL.
func inside(name string) bool {
	if name == "" || !utf8.ValidString(name) || len(name) > maxPath || name == "." || path.Clean(name) != name ||
		path.IsAbs(name) {
		return false
	}
	if name == ".." || strings.HasPrefix(name, "../") || !filepath.IsLocal(filepath.FromSlash(name)) {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' || r == ':' })
}

// maxPath bounds paths within a model, in bytes.
const maxPath = 512

// isSHA256 reports whether a text is a SHA-256 in small hexadecimal digits.
func isSHA256(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}

// Kind is one of sherpa-onnx's model types, or [Moonshine].
type Kind string

// Streaming recognizers, which return partials.
const (
	OnlineTransducer Kind = "online-transducer"
	OnlineParaformer Kind = "online-paraformer"
	OnlineZipformer2 Kind = "online-zipformer2-ctc"
	OnlineNeMoCTC    Kind = "online-nemo-ctc"
	OnlineToneCTC    Kind = "online-t-one-ctc"
)

// Recognizers of whole utterances, for finals.
const (
	OfflineTransducer     Kind = "offline-transducer"
	OfflineNeMoTransducer Kind = "offline-nemo-transducer"
	OfflineNeMoCTC        Kind = "offline-nemo-ctc"
	OfflineZipformerCTC   Kind = "offline-zipformer-ctc"
	OfflineParaformer     Kind = "offline-paraformer"
	OfflineWhisper        Kind = "offline-whisper"
	OfflineSenseVoice     Kind = "offline-sense-voice"
	OfflineMoonshine      Kind = "offline-moonshine" // in four files
	OfflineCanary         Kind = "offline-canary"
	OfflineOmnilingualCTC Kind = "offline-omnilingual-ctc"
)

// Moonshine is the kind of models with an encoder and a merged decoder, which steno decodes without
// sherpa-onnx.
const Moonshine Kind = "moonshine"

// Models that do not recognize speech.
const (
	Punctuation       Kind = "punctuation"
	OnlinePunctuation Kind = "online-punctuation"
	Segmentation      Kind = "speaker-segmentation"
	Embedding         Kind = "speaker-embedding"
	Denoiser          Kind = "denoiser"
)
