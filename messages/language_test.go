package messages

import "testing"

func TestLanguageCode(t *testing.T) {
	for tag, want := range map[string]string{
		"en": "en", "EN": "en", "en-US": "en", "en_us": "en", "En-gb": "en", " en ": "en", "zh-Hant-TW": "zh",
		"zh_Hans": "zh",
		"es-419":  "es", "haw": "haw", "HAW-US": "haw", "nb-NO": "no", "jv": "jw", "iw-IL": "he", "fil-PH": "tl",
		// what is no tag stays as it is
		"": "", "e": "e", "english": "english", "en-": "en-", "en--US": "en--US",
		"en-United States": "en-United States",
		"en-US-":           "en-US-", "no such": "no such", "no_such_value": "no_such_value", "1n": "1n", "é": "é",
		"multi": "multi",
	} {
		if got := LanguageCode(tag); got != want {
			t.Errorf("%q is %q, want %q", tag, got, want)
		}
	}
}
