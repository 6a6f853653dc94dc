// Package folder recognizes the models that are published for sherpa-onnx: it finds out what kind
// of model lies in an unpacked folder, which files it consists of, and what it can do.
//
// The library ends the process over a file that it cannot use. So everything is checked here first:
// that files exist, are complete and lie within the folder; that models carry the metadata that the
// library reads; that tokens are those of the model. Which keys it reads for which kind is taken
// from its sources (csrc/*-model.cc, version 1.13).
package folder

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"steno/session/asr/models"
)

// Probed is the name of the folder, within that of the models, that records which of them passed a
// trial.
const Probed = ".probed"

// Model is a folder's model, with all that is needed to load it.
type Model struct {
	// Name is that of the manifest, else the folder's.
	Name string
	// Dir is the folder, absolute.
	Dir  string
	Kind Kind
	// Type is the library's name for one of several models of a kind: the value of its model_type
	// option, or the denoiser ("gtcrn", "dpdfnet"). It is empty where the kind is enough.
	Type  string
	Files Files
	// Languages are codes of the API. They are empty for models that have none.
	Languages []string
	// Rate is the sample rate of the audio that the model was made for, in Hz.
	Rate int
	// Dimension is the size of a feature vector; the library itself corrects it for some kinds.
	Dimension int
	// Unit is the library's modeling_unit, which hotwords require; empty if the model accepts no
	// hotwords.
	Unit string
	// Longest bounds the audio that the model takes in one call, in samples at 16 kHz; 0: no bound.
	Longest int
	Can     Abilities

	manifest models.Manifest
}

// Abilities are what a model can do.
type Abilities struct {
	Stream       bool // returns partials
	Detect       bool // detects the language
	TakeLanguage bool // can be given the language
	Timestamps   bool // returns the time of each token
	Hotwords     bool // can be given words to prefer
	Identify     bool // identifies the language without recognizing words
}

// Files are absolute paths. Those that the kind does not have are empty.
type Files struct {
	Model string // of a kind that is one file

	Encoder, Decoder, Joiner string

	Preprocessor, UncachedDecoder, CachedDecoder string // Moonshine

	ConvFrontend                   string // Qwen3
	EncoderAdaptor, LLM, Embedding string // FunASR nano; Embedding also of diarization

	Segmentation string // of diarization

	Tokens    string
	Tokenizer string // a folder
	BPEVocab  string
}

// Read describes the model in dir. The error names every fault that was found, each with its file.
func Read(dir string) (Model, error) {
	m, err := read(dir)
	if err != nil {
		return Model{}, fmt.Errorf("model folder %s: %w", dir, err)
	}
	return m, nil
}

func read(dir string) (Model, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return Model{}, err
	}
	manifest, err := readManifest(abs)
	if err != nil {
		return Model{}, err
	}
	l, err := list(abs, manifest)
	if err != nil {
		return Model{}, err
	}
	return l.recognize()
}

// readManifest returns an empty manifest for a folder that has none.
func readManifest(dir string) (models.Manifest, error) {
	stat, err := os.Stat(filepath.Join(dir, models.ManifestName))
	if err == nil && !stat.Mode().IsRegular() {
		return models.Manifest{}, fmt.Errorf("%s: not a regular file", models.ManifestName)
	}
	manifest, err := models.ReadManifest(dir)
	if errors.Is(err, models.ErrNoManifest) {
		return models.Manifest{}, nil
	}
	return manifest, err
}

// Verify compares the model's files with the checksums of its manifest, which takes about as long
// as reading them. It returns nil for a folder without a manifest.
func (m Model) Verify() error {
	if len(m.manifest.Files) == 0 {
		return nil
	}
	real, err := filepath.EvalSymlinks(m.Dir)
	if err != nil {
		return fmt.Errorf("model folder %s: %w", m.Dir, withoutPath(err))
	}
	l := &listing{dir: m.Dir, real: real}
	for _, f := range m.manifest.Files {
		if err := l.verify(f); err != nil {
			l.fault(f.Name, err)
		}
	}
	if err := errors.Join(l.found...); err != nil {
		return fmt.Errorf("model folder %s: %w", m.Dir, err)
	}
	return nil
}

func (l *listing) verify(want models.File) error {
	path, err := l.file(want.Name, max(want.Size, 1))
	if errors.Is(err, errEmpty) && want.Size == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return withoutPath(err)
	}
	defer file.Close() //nolint:errcheck // only read
	sum, size, err := digest(io.LimitReader(file, want.Size+1))
	switch {
	case err != nil:
		return withoutPath(err)
	case size != want.Size:
		return fmt.Errorf("%d bytes, and the manifest says %d", size, want.Size)
	case sum != want.SHA256:
		return errors.New("its SHA-256 is not the manifest's")
	}
	return nil
}
