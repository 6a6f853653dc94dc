package main

import (
	"cmp"
	"slices"
	"strings"

	"steno/session/asr/models"
)

// defaultModels is where steno models looks without flags and configuration.
const defaultModels = "data/models"

// modelsFlag returns the flag of steno models for a folder, with a space before it; empty where it
// is the default.
func modelsFlag(dir string) string {
	if dir == defaultModels {
		return ""
	}
	return " --models " + shellWord(dir)
}

// pullCommand returns the command that installs a model.
func pullCommand(program, model string) string {
	return cmp.Or(program, "steno") + " models pull " + model
}

// noModel states what serves where no speech model is installed, and the command that changes it.
func (c engineSetup) noModel(program string) string {
	text := models.Hint(c.environ, nil)
	if slices.Contains(c.EngineNames(), "sphinx") {
		text = strings.Replace(text, ".", ": PocketSphinx serves, which knows English and makes many mistakes.", 1)
	}
	return strings.Replace(text, "    steno ", "    "+cmp.Or(program, "steno")+" ", 1) + modelsFlag(c.modelsDir())
}
