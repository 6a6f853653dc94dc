package recognizers

import (
	"strconv"
	"strings"
	"time"

	"steno/cmd/steno/config"
)

// engineArgs returns the arguments of a local engine's program.
func (c Setup) engineArgs(name string) []string {
	e := c.Engines.More[name]
	switch {
	case e.Sphinx != nil:
		return sphinxArgs(*e.Sphinx)
	case e.Sherpa != nil:
		return sherpaArgs(*e.Sherpa, c.modelsFor(sherpaModels))
	case e.Moonshine != nil:
		return moonshineArgs(*e.Moonshine, c.modelsFor(moonshineModels))
	case e.Scripted != nil:
		return scriptedArgs(*e.Scripted)
	case name == "sphinx":
		return sphinxArgs(c.Engines.Sphinx)
	case name == "sherpa":
		return sherpaArgs(c.Engines.Sherpa, c.modelsFor(sherpaModels))
	case name == "moonshine":
		return moonshineArgs(c.Engines.Moonshine, c.modelsFor(moonshineModels))
	}
	return scriptedArgs(config.Scripted{})
}

// arguments are flags of the engine's program; those without a value are left out.
type arguments []string

func (a *arguments) text(flag, value string) {
	if value != "" {
		*a = append(*a, flag+"="+value)
	}
}

func (a *arguments) count(flag string, n int) {
	if n > 0 {
		*a = append(*a, flag+"="+strconv.Itoa(n))
	}
}

func (a *arguments) duration(flag string, d time.Duration) {
	if d > 0 {
		*a = append(*a, flag+"="+d.String())
	}
}

func sphinxArgs(s config.Sphinx) []string {
	a := arguments{"--engine=sphinx"}
	a.text("--model", s.Model)
	a.text("--lm", s.LM)
	a.text("--dict", s.Dictionary)
	a.text("--language", s.Language)
	a.count("--slots", s.Slots)
	a.count("--decoders", s.Decoders)
	a.count("--final-decoders", s.FinalDecoders)
	a.count("--vocabularies", s.Vocabularies)
	a.duration("--partial-every", s.PartialEvery)
	if s.Accurate {
		a = append(a, "--accurate")
	}
	return a
}

// modelArguments are those of engines that take installed models.
func modelArguments(engine, models string, use []string, slots int) arguments {
	a := arguments{"--engine=" + engine}
	a.text("--models", models)
	a.text("--use", strings.Join(use, ","))
	a.count("--slots", slots)
	return a
}

func sherpaArgs(s config.Sherpa, models string) []string {
	a := modelArguments("sherpa", models, s.Use, s.Slots)
	a.count("--threads", s.Threads)
	a.count("--batch", s.Batch)
	a.duration("--batch-wait", s.BatchWait)
	if s.Greedy {
		a = append(a, "--greedy")
	}
	return a
}

func moonshineArgs(m config.Moonshine, models string) []string {
	a := modelArguments("moonshine", models, m.Use, m.Slots)
	a.count("--decodes", m.Decodes)
	return a
}

func scriptedArgs(s config.Scripted) []string {
	a := arguments{"--engine=scripted"}
	a.duration("--scripted-delay", s.Delay)
	a.count("--scripted-slots", s.Slots)
	if s.Factor > 0 {
		a = append(a, "--scripted-factor="+strconv.FormatFloat(s.Factor, 'g', -1, 64))
	}
	return a
}
