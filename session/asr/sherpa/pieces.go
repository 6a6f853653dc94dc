package sherpa

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"steno/session/asr/sherpa/folder"
)

// withPieces makes a transducer accept hotwords if no list of pieces with scores (bpe.vocab) was
// published with it, as is common: it makes one of the tokens. Tokens are numbered in the order in
// which byte-pair encoding merged them, the most frequent first, which is all that splitting words
// needs. The file is to be removed once the model is loaded.
func withPieces(spec folder.Model) (_ folder.Model, remove func(), err error) {
	nothing := func() {}
	icefall := spec.Type != "" && (spec.Kind == folder.OnlineTransducer || spec.Kind == folder.OfflineTransducer)
	if spec.Can.Hotwords || !icefall {
		return spec, nothing, nil
	}
	var list strings.Builder
	var begins, han int
	err = eachToken(spec.Files.Tokens, func(token, number string) {
		switch {
		case strings.HasPrefix(token, "▁"):
			begins++
		case strings.ContainsFunc(token, func(r rune) bool { return unicode.Is(unicode.Han, r) }):
			han++
		}
		fmt.Fprintf(&list, "%s\t-%s\n", token, number)
	})
	if err != nil || begins == 0 {
		return spec, nothing, err
	}
	dir, err := os.MkdirTemp("", "steno-pieces")
	if err != nil {
		return spec, nothing, fmt.Errorf("list pieces: %w", err)
	}
	remove = func() { _ = os.RemoveAll(dir) }
	path := filepath.Join(dir, "bpe.vocab")
	if err := os.WriteFile(path, []byte(list.String()), 0o600); err != nil {
		remove()
		return spec, nothing, fmt.Errorf("list pieces: %w", err)
	}
	spec.Files.BPEVocab, spec.Unit, spec.Can.Hotwords = path, "bpe", true
	if han > 0 {
		spec.Unit = "cjkchar+bpe"
	}
	return spec, remove, nil
}
