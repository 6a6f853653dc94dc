package recognizers

import (
	"cmp"
	"slices"
	"strings"

	"steno/cmd/steno/terminal"
	"steno/session/asr/models"
)

// defaultModels is where steno models looks without flags and configuration.
const defaultModels = "data/models"

// ModelsFlag returns the flag of steno models for a folder, with a space before it; empty where it
// is the default.
func ModelsFlag(dir string) string {
	if dir == defaultModels {
		return ""
	}
	return " --models " + terminal.ShellWord(dir)
}

// PullCommand returns the command that installs a model.
func PullCommand(program, model string) string {
	return cmp.Or(program, "steno") + " models pull " + model
}

// NoModel states what serves where no speech model is installed, and the command that changes it.
func (c Setup) NoModel(program string) string {
	text := models.Hint(c.Environ, nil)
	if slices.Contains(c.EngineNames(), "sphinx") {
		text = strings.Replace(text, ".", ": PocketSphinx serves, which knows English and makes many mistakes.", 1)
	}
	return strings.Replace(text, "    steno ", "    "+cmp.Or(program, "steno")+" ", 1) + ModelsFlag(c.ModelsFolder())
}
