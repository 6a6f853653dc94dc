package models

import (
	"fmt"
	"slices"
	"strings"
)

// First is the model for a first start in English: small, and good enough to work with.
const First = "moonshine-tiny-en"

// Hint returns two lines with the command that fetches a model for the user's language, which
// LC_ALL, LC_MESSAGES or LANG in environ ("NAME=value") name: in English the one for a first start.
// It is empty if recognizers are installed.
func Hint(environ, installed []string) string {
	recognizes := func(name string) bool {
		e, known := Find(name)
		return !known || slices.Contains(e.For, Finals) || slices.Contains(e.For, Partials)
	}
	if slices.ContainsFunc(installed, recognizes) {
		return ""
	}
	language := userLanguage(environ)
	chosen, ok := Recommend(language)
	if language == english || !ok {
		e, _ := Find(First)
		return fmt.Sprintf("No speech model is installed. A small one for English (%d MB, licence: %s):\n    steno "+
			"models pull %s",
			(e.Size+500_000)/1_000_000, e.Licence, First)
	}
	names, bytes, more := make([]string, len(chosen)), int64(0), ""
	for i, e := range chosen {
		names[i] = e.Name
		bytes += e.Size
		if e.Size == 0 {
			more = "more than "
		}
	}
	return fmt.Sprintf("No speech model is installed. A good one for language %q (%s; %s%d MB):\n    steno models "+
		"pull --language %s",
		language, strings.Join(names, " and "), more, (bytes+500_000)/1_000_000, language)
}

const english = "en"

// userLanguage follows setlocale(3): the first of the three that is set decides. A locale without a
// language, and none, mean English.
func userLanguage(environ []string) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if locale := valueOf(environ, name); locale != "" {
			return languageOf(locale)
		}
	}
	return english
}

// valueOf returns a variable's value; the last one of a name counts.
func valueOf(environ []string, name string) string {
	value := ""
	for _, e := range environ {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			value = v
		}
	}
	return value
}

// languageOf returns the language of "de_AT.UTF-8@euro" as a code of the API.
func languageOf(locale string) string {
	end := strings.IndexAny(locale, "_.@-")
	if end < 0 {
		end = len(locale)
	}
	switch code := strings.ToLower(locale[:end]); code {
	case "nb":
		return "no"
	case "fil":
		return "tl"
	case "jv":
		return "jw"
	case "iw":
		return "he"
	case "c", "posix", "":
		return english
	default:
		return code
	}
}
