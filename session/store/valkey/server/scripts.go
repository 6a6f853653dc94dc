package server

import (
	"crypto/sha1"
	"embed"
	"encoding/hex"
	"io/fs"
	"strings"
	"sync"
)

//go:embed scripts/*.lua
var files embed.FS

// Scripts are those of this package: what the scripts of several packages include, and its own.
var Scripts = Library{files}

// Library is the Lua scripts of a package: the files in its folder scripts.
type Library struct{ Files embed.FS }

// Script is the text of a script, and the name that servers have for it. It is made the first time:
// most processes need few.
type Script func() (text, sha string)

// Script is one of the files, named without its extension, after the prelude, which has the
// arguments that all have, the clock and the errors, and after the files that it includes: those of
// the library, or else those that all libraries share.
func (l Library) Script(name string, includes ...string) Script {
	return sync.OnceValues(func() (text, sha string) {
		text = Scripts.text("prelude")
		for _, include := range includes {
			text += l.text(include)
		}
		text += l.text(name)
		sum := sha1.Sum([]byte(text))
		return text, hex.EncodeToString(sum[:])
	})
}

func (l Library) text(name string) string {
	text, err := l.Files.ReadFile("scripts/" + name + ".lua")
	if err != nil {
		text, err = Scripts.Files.ReadFile("scripts/" + name + ".lua")
	}
	if err != nil {
		panic(err) // not part of the program
	}
	return string(text)
}

// Texts are the texts of all files.
func (l Library) Texts() (texts []string) {
	names, err := fs.Glob(l.Files, "scripts/*.lua")
	if err != nil {
		panic(err) // of the pattern
	}
	for _, name := range names {
		texts = append(texts, l.text(strings.TrimSuffix(strings.TrimPrefix(name, "scripts/"), ".lua")))
	}
	return texts
}
