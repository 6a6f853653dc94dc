package messages

import (
	"reflect"
	"strings"
)

// Languages lists the codes of all languages that may be spoken.
func Languages() []string {
	f, _ := reflect.TypeFor[LanguageConfig]().FieldByName("Languages")
	return strings.Split(f.Tag.Get("enum"), ",")
}

// LanguageCode is the code of a language tag: lower case, without script and region, and that of
// the API where there are two, so that "en-US", "EN" and "en_us" are "en" and "nb-NO" is "no". What
// is no tag is returned as it is.
func LanguageCode(tag string) string {
	code := strings.ToLower(strings.TrimSpace(tag))
	if i := strings.IndexAny(code, "-_"); i >= 0 {
		if !subtags(code[i:]) {
			return tag
		}
		code = code[:i]
	}
	if !letters(code, 2, 3) {
		return tag
	}
	if renamed, ok := renamedLanguages[code]; ok {
		return renamed
	}
	return code
}

// renamedLanguages are codes of languages that the API knows by another one.
var renamedLanguages = map[string]string{
	"jv": "jw", "nb": "no", "fil": "tl", "cmn": "zh", "iw": "he", "in": "id", "ji": "yi",
}

// subtags reports whether a text consists of scripts (four letters) and regions (two letters or
// three digits), each after a separator.
func subtags(text string) bool {
	for text != "" {
		rest := text[1:]
		end := strings.IndexAny(rest, "-_")
		if end < 0 {
			end = len(rest)
		}
		tag := rest[:end]
		if !letters(tag, 2, 2) && !letters(tag, 4, 4) && !(len(tag) == 3 && strings.Trim(tag, "0123456789") == "") {
			return false
		}
		text = rest[end:]
	}
	return true
}

// letters reports whether a text is so many small letters.
func letters(text string, least, most int) bool {
	return len(text) >= least && len(text) <= most && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz") == ""
}
