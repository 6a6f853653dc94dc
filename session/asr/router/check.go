package router

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// check returns all faults of a configuration.
func check(c Config) error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	known := make(map[string]bool)
	for i, e := range c.Engines {
		switch {
		case e.Name == "":
			fault("engines[%d]: no name", i)
		case known[e.Name]:
			fault("engine %q: there are two of that name", e.Name)
		case e.Recognizer == nil:
			fault("engine %q: no recognizer", e.Name)
		}
		known[e.Name] = true
		faults = append(faults, codes(fmt.Sprintf("engine %q: languages", e.Name), e.Languages, c.Languages)...)
	}
	for _, model := range slices.Sorted(maps.Keys(c.Plans)) {
		for _, err := range c.Plans[model].check(known, c.Languages) {
			fault("model %q: %w", model, err)
		}
	}
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("route: %w", err)
	}
	return nil
}

func (p Plan) check(known map[string]bool, languages []string) []error {
	faults := slices.Concat(
		engineNames("engines", p.Engines, known),
		codes("languages", p.Only, languages),
		codes("by language", slices.Sorted(maps.Keys(p.ByLanguage)), languages),
	)
	if len(p.Engines) == 0 && len(p.ByLanguage) == 0 {
		faults = append(faults, errors.New("no engines"))
	}
	for _, code := range slices.Sorted(maps.Keys(p.ByLanguage)) {
		names := p.ByLanguage[code]
		if len(names) == 0 {
			faults = append(faults, fmt.Errorf("by language: %q: no engines", code))
		}
		faults = append(faults, engineNames(fmt.Sprintf("by language: %q", code), names, known)...)
	}
	if p.Default == "" {
		return faults
	}
	if len(p.Only) > 0 && !slices.Contains(p.Only, p.Default) {
		faults = append(faults, fmt.Errorf("default: %q is not among its languages", p.Default))
	}
	return append(faults, codes("default", []string{p.Default}, languages)...)
}

func engineNames(field string, names []string, known map[string]bool) (faults []error) {
	for i, name := range names {
		switch {
		case !known[name]:
			faults = append(faults, fmt.Errorf("%s: there is no engine %q", field, name))
		case slices.Contains(names[:i], name):
			faults = append(faults, fmt.Errorf("%s: engine %q is named twice", field, name))
		}
	}
	return faults
}

// codes returns a fault for each code that is none of the API's, if those are known.
func codes(field string, given, languages []string) (faults []error) {
	for _, code := range given {
		if code == "" || len(languages) > 0 && !slices.Contains(languages, code) {
			faults = append(faults, fmt.Errorf("%s: there is no language %q", field, code))
		}
	}
	return faults
}
