package recognizers

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"steno/cmd/steno/terminal"
	"steno/session/asr/engines"
	"steno/session/asr/models"
)

// ModelsFolder returns the folder of the installed models.
func (c Setup) ModelsFolder() string {
	if c.Engines.Models != "" {
		return c.Engines.Models
	}
	return filepath.Join(c.Data, "models")
}

// Bundled returns the folder of the models that came with the program, beside it or in
// ../share/steno; empty if there is none.
func Bundled() string {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return ""
	}
	for _, folder := range []string{"models", "../share/steno/models"} {
		if dir := filepath.Join(filepath.Dir(self), folder); hasModels(dir) {
			return dir
		}
	}
	return ""
}

// modelKind is which of the installed models an engine takes.
type modelKind int

const (
	noModels        modelKind = iota // it needs none of them
	sherpaModels                     // all that sherpa-onnx may run
	moonshineModels                  // those with a merged decoder
)

// takes reports whether the model in a folder is of the kind.
func (k modelKind) takes(folder string) bool {
	return k != noModels && models.IsMoonshine(folder) == (k == moonshineModels)
}

// in reports whether a folder of models has one of the kind.
func (k modelKind) in(dir string) bool { return slices.ContainsFunc(models.Installed(dir), k.takes) }

// modelKindOf returns the kind of models that an engine takes.
func (c Setup) modelKindOf(name string) modelKind {
	e := c.Engines.More[name]
	switch {
	case name == "sherpa" || e.Sherpa != nil:
		return sherpaModels
	case name == "moonshine" || e.Moonshine != nil:
		return moonshineModels
	}
	return noModels
}

// UsesModels reports whether an engine needs installed models.
func (c Setup) UsesModels(name string) bool { return c.modelKindOf(name) != noModels }

// modelsFor returns the folder whose models an engine takes: that of the installed models, or where
// nothing of the kind is installed and no folder is configured, that of the models that came with
// the program, or of those that the user's data folders share.
func (c Setup) modelsFor(kind modelKind) string {
	installed := c.ModelsFolder()
	if c.Engines.Models == "" && !kind.in(installed) {
		for _, dir := range []string{Bundled(), c.Engines.Store} {
			if kind.in(dir) {
				return dir
			}
		}
	}
	return installed
}

// hasModelsFor returns a function that reports whether an engine has what it needs: a model of its
// kind, if it takes models.
func (c Setup) hasModelsFor(name string) func() bool {
	kind := c.modelKindOf(name)
	dir := c.modelsFor(kind)
	return func() bool { return kind == noModels || kind.in(dir) }
}

// InstalledFor lists the folders of the models that the engines take and that recognize speech in a
// language, or in any if code is empty.
func (c Setup) InstalledFor(code string) (folders []string) {
	for _, kind := range []modelKind{sherpaModels, moonshineModels} {
		if !slices.ContainsFunc(c.EngineNames(), func(name string) bool { return c.modelKindOf(name) == kind }) {
			continue
		}
		for _, folder := range models.Installed(c.modelsFor(kind)) {
			if kind.takes(folder) && models.Recognizes(folder, code) {
				folders = append(folders, folder)
			}
		}
	}
	return folders
}

// standIn returns when an engine is started that stands in for others; nil for the others.
// PocketSphinx takes its processor time and memory only where no installed model has its language,
// or while the engine that has it is away for long.
func (c Setup) standIn(name string) *engines.StandIn {
	if !c.StandsIn(name) {
		return nil
	}
	language := cmp.Or(c.Engines.Sphinx.Language, "en")
	return &engines.StandIn{Language: language, Needless: func() bool { return len(c.InstalledFor(language)) > 0 }}
}

// hasModels reports whether anything is installed in a folder of models.
func hasModels(dir string) bool { return len(models.Installed(dir)) > 0 }

// Served lists the models that recognize speech here, with their licences.
func (c Setup) Served() (names []string) {
	for _, folder := range c.InstalledFor("") {
		name := filepath.Base(folder)
		names = append(names, fmt.Sprintf("%s (licence: %s)", name, cmp.Or(c.licenceOf(name), terminal.Unknown)))
	}
	return names
}

// licenceOf returns the licence of a model that an engine of this machine has; empty where it is
// not known.
func (c Setup) licenceOf(model string) string {
	for _, folder := range c.InstalledFor("") {
		if m, err := models.ReadManifest(folder); filepath.Base(folder) == model && err == nil && m.Licence != "" {
			return m.Licence
		}
	}
	e, _ := models.Find(model)
	return e.Licence
}
