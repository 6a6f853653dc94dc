package translate

import (
	"context"
	"slices"

	"steno/messages"
	"steno/session/addon/remote"
)

// maxVainTries is how many times in a row runs are halved without any answer.
const maxFailedTries = 3

// job is the translation of utterances to one language.
type job struct {
	tr      Translator
	target  string
	options Options
}

func newJob(tr Translator, target string, c messages.TranslationConfig) job {
	return job{tr, target, Options{Context: c.Context, Informal: c.Informal, Adapt: c.ContextAdaptation,
		Lipsync: c.Lipsync}}
}

// outcome is the translation of a run, or why there is none.
type outcome struct {
	run
	said   string // in the target language
	failed error
}

// halves reports whether it may help to try the parts of a run on their own.
func (t outcome) halves() bool {
	return t.failed != nil && len(t.run) > 1 && remote.Divisible(t.failed)
}

// translate translates all runs, and retries those that failed in halves. After tries tries without
// any answer it stops. The result is in the order of the runs.
func (j job) translate(ctx context.Context, runs []run, tries int) []outcome {
	list := j.once(ctx, runs)
	if slices.ContainsFunc(list, func(t outcome) bool { return t.said != "" }) {
		tries = maxFailedTries
	}
	var halves []run
	for _, t := range list {
		if t.halves() {
			halves = append(halves, t.run[:len(t.run)/2], t.run[len(t.run)/2:])
		}
	}
	if len(halves) == 0 || tries <= 1 {
		return list
	}
	parts := j.translate(ctx, halves, tries-1)
	var all []outcome
	for _, t := range list {
		if !t.halves() {
			all = append(all, t)
			continue
		}
		for left := len(t.run); left > 0; parts = parts[1:] {
			all = append(all, parts[0])
			left -= len(parts[0].run)
		}
	}
	return all
}

// once translates each run as one text, all of a language together. It leaves out runs in the
// target language and those without text to translate.
func (j job) once(ctx context.Context, runs []run) []outcome {
	list := make([]outcome, len(runs))
	by := make(map[string][]int) // runs by language
	var languages []string
	for i, r := range runs {
		list[i].run = r
		s, language := r.text(), r[0].Language
		switch {
		case language == j.target, s == "":
		case !hasText(marker.ReplaceAllString(s, "")):
			list[i].said = s
		default:
			if by[language] == nil {
				languages = append(languages, language)
			}
			by[language] = append(by[language], i)
		}
	}
	for _, language := range languages {
		j.from(ctx, language, list, by[language])
	}
	return list
}

// from translates the runs at these indices, which are all of one language.
func (j job) from(ctx context.Context, language string, list []outcome, at []int) {
	asked, said := make([]string, len(at)), make([]string, len(at))
	for k, i := range at {
		asked[k] = list[i].text()
	}
	err := j.tr.Can(ctx, language, j.target)
	if err == nil {
		said, err = translateMasked(ctx, j.tr, asked, language, j.target, j.options)
	}
	for k, i := range at {
		if list[i].said = said[k]; said[k] == "" {
			list[i].failed = err
		}
	}
}
