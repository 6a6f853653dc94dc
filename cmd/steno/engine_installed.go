package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"steno/session/asr/engines"
	"steno/session/asr/models"
)

// modelsDir returns the folder of the installed models.
func (c Config) modelsDir() string {
	if c.Engines.Models != "" {
		return c.Engines.Models
	}
	return filepath.Join(c.Data, "models")
}

// modelKind says which of the installed models an engine takes.
type modelKind int

const (
	noModels        modelKind = iota // it needs none of them
	sherpaModels                     // all that sherpa-onnx may run
	moonshineModels                  // those with a merged decoder
)

// modelKindOf returns the kind of models that an engine takes.
func (c Config) modelKindOf(name string) modelKind {
	e := c.Engines.More[name]
	switch {
	case name == "sherpa" || e.Sherpa != nil:
		return sherpaModels
	case name == "moonshine" || e.Moonshine != nil:
		return moonshineModels
	}
	return noModels
}

// takes reports whether the model in a folder is of the kind.
func (k modelKind) takes(folder string) bool {
	return k != noModels && models.IsMoonshine(folder) == (k == moonshineModels)
}

// usesModels reports whether an engine needs installed models.
func (c Config) usesModels(name string) bool { return c.modelKindOf(name) != noModels }

// hasModelsFor returns a function that reports whether an engine has what it needs: a model of its kind, if it takes models.
func (c Config) hasModelsFor(name string) func() bool {
	kind, dir := c.modelKindOf(name), c.modelsDir()
	return func() bool { return kind == noModels || slices.ContainsFunc(models.Installed(dir), kind.takes) }
}

// standIn returns when an engine is started that stands in for others; nil for the others. PocketSphinx takes its processor time
// and memory only where no installed model has its language, or while the engine that has it is away for long.
func (c Config) standIn(name string) *engines.StandIn {
	if !c.standsIn(name) {
		return nil
	}
	language, dir := c.Engines.Sphinx.Language, c.modelsDir()
	return &engines.StandIn{
		Language: or(language, "en"),
		Needless: func() bool {
			return slices.ContainsFunc(models.Installed(dir), func(folder string) bool { return models.Recognizes(folder, or(language, "en")) })
		},
	}
}

// hasModels reports whether anything is installed in a folder of models.
func hasModels(dir string) bool { return len(models.Installed(dir)) > 0 }

// hasRecognizer reports whether a model that recognizes speech is installed in a folder of models.
func hasRecognizer(dir string) bool {
	return slices.ContainsFunc(models.Installed(dir), func(folder string) bool { return models.Recognizes(folder, "") })
}

// installedRecognizers lists the installed models that the engines take and that recognize speech, with their licences.
func (c Config) installedRecognizers() (names []string) {
	engines := c.engineNames()
	for _, folder := range models.Installed(c.modelsDir()) {
		taken := slices.ContainsFunc(engines, func(name string) bool { return c.modelKindOf(name).takes(folder) })
		if taken && models.Recognizes(folder, "") {
			name := filepath.Base(folder)
			names = append(names, fmt.Sprintf("%s (licence: %s)", name, or(c.licenceOf(name), unknown)))
		}
	}
	return names
}

// licenceOf returns the licence of a model that an engine of this machine has; empty where it is not known.
func (c Config) licenceOf(model string) string {
	if strings.ContainsAny(model, `/\`) {
		return ""
	}
	if m, err := models.ReadManifest(filepath.Join(c.modelsDir(), model)); err == nil && m.Licence != "" {
		return m.Licence
	}
	e, _ := models.Find(model)
	return e.Licence
}
