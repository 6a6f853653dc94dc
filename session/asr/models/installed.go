package models

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// IsMoonshine reports whether the folder dir holds a model of the kind [Moonshine], by its files.
func IsMoonshine(dir string) bool {
	for _, name := range []string{"encoder_model.ort", "decoder_model_merged.ort"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// Installed lists the folders of models in dir. Names that begin with a dot are unfinished models.
func Installed(dir string) (folders []string) {
	found, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, f := range found {
		at := filepath.Join(dir, f.Name())
		if info, err := os.Stat(at); err == nil && info.IsDir() && f.Name()[0] != '.' { // a model may be a link
			folders = append(folders, at)
		}
	}
	return folders
}

// Recognizes reports whether the model in a folder is known to recognize speech in a language, or
// in any if code is empty: by its manifest, else by the words of the folder's name.
func Recognizes(folder, code string) bool {
	m, err := ReadManifest(folder)
	if err != nil {
		words := strings.FieldsFunc(strings.ToLower(filepath.Base(folder)), func(r rune) bool {
			return r == '-' ||
				r == '_' || r == '.'
		})
		return errors.Is(err, ErrNoManifest) && (code == "" || slices.Contains(words, code))
	}
	return m.Kind.recognizes() && (code == "" || slices.Contains(m.Languages, code))
}

// recognizes reports whether models of the kind recognize words. One that is not named may be of
// any kind.
func (k Kind) recognizes() bool {
	return !slices.Contains([]Kind{Punctuation, OnlinePunctuation, Segmentation, Embedding, Denoiser}, k)
}
