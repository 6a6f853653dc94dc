package redact

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/entities"
)

const typesField = name + "_config.entity_types"

// Check implements [addon.RequestChecker]: every type that is to be redacted can be found in each
// of the languages, and in some language where none is given. With best_effort it warns of those
// that cannot.
func (a Addon) Check(q *messages.PreRecordedRequest, languages []string) (warnings messages.Warnings, err error) {
	if !q.PIIRedaction || a.provider.Available() {
		return nil, nil
	}
	return check(typesField, q.PIIRedactionConfig, languages)
}

// CheckLive implements [addon.LiveChecker]. Live sessions are redacted by what is embedded alone.
func (a Addon) CheckLive(q *messages.LiveRequest, languages []string) (warnings messages.Warnings, err error) {
	if !q.RealtimeProcessing.PIIRedaction {
		return nil, nil
	}
	return check("realtime_processing."+typesField, q.RealtimeProcessing.PIIRedactionConfig, languages)
}

// check judges the types of a configuration for speech in the languages.
func check(field string, c messages.PIIRedactionConfig, languages []string) (warnings messages.Warnings, err error) {
	lacks := lacking(c, languages)
	if len(languages) == 0 {
		if types := entities.Lacking(c.EntityTypes, "en"); len(types) > 0 {
			lacks = []string{list(types) + " in any language"}
		}
	}
	if len(lacks) == 0 {
		return nil, nil
	}
	if !c.BestEffort {
		return nil, messages.Invalid(field, fmt.Sprintf("must not have what this server cannot find: %s",
			strings.Join(lacks, ", ")))
	}
	warnings.Warn(field, "this server cannot find, and does not hide, "+strings.Join(lacks, ", "))
	return warnings, nil
}

// judge returns an error if types are not found in the languages that were spoken, or with
// best_effort adds a warning. failed is why the provider, if there is one, did not look for them;
// nil: it did.
func (a Addon) judge(j *addon.Job, failed *messages.AddonError) error {
	if a.provider.Available() && failed == nil {
		return nil
	}
	c := j.Request.PIIRedactionConfig
	lacks := lacking(c, spoken(j.Utterances))
	if len(lacks) == 0 || failed != nil && findsSome(c, spoken(j.Utterances)) {
		return nil
	}
	text := strings.Join(lacks, ", ")
	if c.BestEffort {
		j.Warnings = append(j.Warnings, messages.Warning{Field: typesField,
			Message: "this server cannot find, and has not hidden, " + text})
		return nil
	}
	if failed != nil {
		return &messages.Problem{Status: http.StatusBadGateway,
			Message: "what is to be hidden could not be looked for: " + text + ": " + failed.Message}
	}
	return &messages.Problem{Status: http.StatusUnprocessableEntity, Message: typesField +
		": this server cannot find " + text}
}

// findsSome reports whether the speech is English and what is embedded finds some of the types:
// then a provider that failed for some utterances costs only what it alone finds, and the result
// shows that it has failed.
func findsSome(c messages.PIIRedactionConfig, languages []string) bool {
	for kind := range Types(c) {
		if slices.Contains(entities.Implemented(), kind) {
			return !slices.ContainsFunc(languages, func(l string) bool { return l != "" && l != "en" })
		}
	}
	return false
}

// spoken lists the languages of utterances with words, sorted.
func spoken(us []messages.Utterance) []string {
	var codes []string
	for _, u := range us {
		if u.Text != "" {
			codes = append(codes, u.Language)
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// lacking lists, for each language in which they are not found, the types of a configuration:
// "NAME, SSN in de".
func lacking(c messages.PIIRedactionConfig, languages []string) []string {
	var texts []string
	for _, language := range languages {
		if types := entities.Lacking(orDefault(c.EntityTypes), language); len(types) > 0 {
			texts = append(texts, list(types)+" in "+language)
		}
	}
	return texts
}

// listed is how many types a text names at most.
const listed = 12

// list names types.
func list(types []string) string {
	if more := len(types) - listed; more > 0 {
		return fmt.Sprintf("%s and %d more types", strings.Join(types[:listed], ", "), more)
	}
	return strings.Join(types, ", ")
}

// orDefault is the types asked for, or the default where there are none.
func orDefault(types []string) []string {
	if len(types) == 0 {
		return []string{messages.DefaultEntityType}
	}
	return types
}
