package models

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Names of files of models with pinned files.
const (
	licenceName   = "LICENSE"
	noticeName    = "NOTICE"
	tokenizerName = "tokenizer.bin"
	tokensName    = "tokens.txt"
)

// pinnedMode is the mode of pinned files, which several folders may share.
const pinnedMode = 0o444

// pin compares the files in dir with those that the catalogue names, and removes others, except
// texts of licences. It returns the files that remain. A model without pinned files is left as it
// is.
func (i *installation) pin(dir string, files []File) ([]File, error) {
	if len(i.entry.Pinned) == 0 {
		return files, nil
	}
	files, err := i.addTokenizer(dir, files)
	if err != nil {
		return nil, err
	}
	for _, want := range i.entry.Pinned {
		at := slices.IndexFunc(files, func(f File) bool { return f.Name == want.Name })
		if at < 0 {
			return nil, fmt.Errorf("%w: there is no %s in it", ErrChecksum, want.Name)
		}
		if files[at].SHA256 != want.SHA256 {
			return nil, fmt.Errorf("%w: SHA-256 of %s is %s, and the catalogue has %s", ErrChecksum, want.Name,
				files[at].SHA256, want.SHA256)
		}
	}
	kept, err := i.keepPinned(dir, files)
	if err != nil {
		return nil, err
	}
	return i.addNotice(dir, kept)
}

// keepPinned removes the files that are not pinned, and the folders that they leave empty.
func (i *installation) keepPinned(dir string, files []File) (kept []File, err error) {
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		pinned := slices.ContainsFunc(i.entry.Pinned, func(p File) bool { return p.Name == f.Name })
		if pinned || isLicence(f.Name) {
			kept = append(kept, f)
			err = os.Chmod(path, pinnedMode)
		} else if err = os.Remove(path); err == nil {
			for _, parent := range slices.Backward(parents(f.Name)) {
				_ = os.Remove(filepath.Join(dir, filepath.FromSlash(parent))) // refused while it is not empty
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// isLicence reports whether a file of that name is the text of a licence.
func isLicence(name string) bool { return name == licenceName || name == noticeName }

// addNotice writes what is known of the licence where no text of it came with the model.
func (i *installation) addNotice(dir string, files []File) ([]File, error) {
	if slices.ContainsFunc(files, func(f File) bool { return isLicence(f.Name) }) {
		return files, nil
	}
	text := fmt.Sprintf("%s: the weights of a speech recognition model.\nMakers: %s\nLicence: %s\n", i.entry.Name,
		i.entry.Makers, i.entry.Licence)
	return addFile(dir, files, noticeName, []byte(text))
}

// addFile writes a file into dir and adds it to the list.
func addFile(dir string, files []File, name string, text []byte) ([]File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // a folder
	w := newWriter(root, maxUnpacked)
	if err := w.write(name, bytes.NewReader(text)); err != nil {
		return nil, err
	}
	files = append(files, w.list(".")...)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files, os.Chmod(filepath.Join(dir, name), pinnedMode)
}

// addTokenizer writes a pinned tokenizer.bin that the download lacks, from the tokens.txt that it
// has instead: archives for sherpa-onnx hold the same tokens in that form.
func (i *installation) addTokenizer(dir string, files []File) ([]File, error) {
	named := func(name string) func(File) bool { return func(f File) bool { return f.Name == name } }
	if !slices.ContainsFunc(i.entry.Pinned, named(tokenizerName)) || slices.ContainsFunc(files, named(tokenizerName)) ||
		!slices.ContainsFunc(files, named(tokensName)) {
		return files, nil
	}
	text, err := os.ReadFile(filepath.Join(dir, tokensName))
	if err != nil {
		return nil, err
	}
	tokenizer, err := tokenizerOf(string(text))
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrArchive, tokensName, err)
	}
	return addFile(dir, files, tokenizerName, tokenizer)
}

// maxTokens bounds the number of a token.
const maxTokens = 1 << 20

// tokenizerOf converts the lines of a tokens.txt, each a token in base64, a space and its number,
// to a tokenizer.bin: for each number from 0 on the length of the token, in one byte or, from 128
// on, in two, the lower seven bits with 128 added first, and the token. A number without a token
// has length 0.
func tokenizerOf(text string) ([]byte, error) {
	var tokens [][]byte
	for line := range strings.Lines(text) {
		word, number, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || n > maxTokens {
			return nil, fmt.Errorf("%.40q is not a token and its number", line)
		}
		token, err := base64.StdEncoding.DecodeString(word)
		if err != nil || len(token) >= 1<<14 {
			return nil, fmt.Errorf("%.40q is not a token in base64", line)
		}
		for len(tokens) <= n {
			tokens = append(tokens, nil)
		}
		tokens[n] = token
	}
	var out []byte
	for _, token := range tokens {
		if n := len(token); n < 128 {
			out = append(out, byte(n))
		} else {
			out = append(out, byte(n%128+128), byte(n/128))
		}
		out = append(out, token...)
	}
	return out, nil
}

// digest returns the SHA-256 of a file in hexadecimal.
func (i *installation) digest(ctx context.Context, file *os.File, size int64) (string, error) {
	return digest(&countingReader{ctx: ctx, r: file, count: func(n int64) { i.progress(Checking, n, size) }})
}
