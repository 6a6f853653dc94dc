package remote

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"steno/session/asr"
)

// Languages are what a server is used for.
type Languages struct {
	// Codes are the API's, the default first; empty: all of them.
	Codes []string
	// Detects is set if the server detects the language of utterances of unknown language; else
	// they are in the default, if Codes has one.
	Detects bool
}

// Check returns an error if a code is none of the API's.
func (l Languages) Check() error {
	for _, code := range l.Codes {
		if !listed(code) {
			return fmt.Errorf("language %q is none of the API's", code)
		}
	}
	return nil
}

// Choose returns the code to ask for; empty: the server detects it. Errors: ErrLanguage.
func (l Languages) Choose(p asr.Params) (string, error) {
	if p.Language != "" {
		if !l.offers(p.Language) {
			return "", asr.ErrLanguage
		}
		return p.Language, nil
	}
	among := l.Candidates(p)
	switch {
	case len(among) == 0 && len(p.Languages) > 0:
		return "", asr.ErrLanguage
	case len(p.Languages) == 1:
		return among[0], nil
	case l.Detects:
		return "", nil
	case len(l.Codes) > 0 && (len(among) == 0 || slices.Contains(among, l.Codes[0])):
		return l.Codes[0], nil
	case len(among) > 0:
		return among[0], nil
	}
	return "", nil
}

// Candidates returns those of the languages that an utterance can be in which the server is used
// for. The slice is the caller's.
func (l Languages) Candidates(p asr.Params) []string {
	return slices.DeleteFunc(slices.Clone(p.Languages), func(code string) bool { return !l.offers(code) })
}

// OfResult returns the language of a result: the one that was asked for, or that the server has
// named. The server's counts only if the language was not known and it may be that: otherwise it
// may name another than the one asked for.
func (l Languages) OfResult(p asr.Params, named, asked string) string {
	language := asked
	if code := CodeOf(named); code != "" && p.Language == "" && len(p.Languages) != 1 && !Excludes(p, named) {
		language = code
	}
	if language == "" && len(p.Languages) == 0 && len(l.Codes) > 0 {
		language = l.Codes[0]
	}
	return language
}

// List returns all codes. The slice is the caller's.
func (l Languages) List() []string {
	if len(l.Codes) > 0 {
		return slices.Clone(l.Codes)
	}
	return slices.Compact(slices.Sorted(maps.Values(codes)))
}

func (l Languages) offers(code string) bool {
	if len(l.Codes) > 0 {
		return slices.Contains(l.Codes, code)
	}
	return listed(code)
}

// Excludes reports whether an utterance cannot be in the language that a server has named.
func Excludes(p asr.Params, named string) bool {
	code := CodeOf(named)
	return code != "" && len(p.Languages) > 0 && !slices.Contains(p.Languages, code)
}

// CodeOf returns the API's code for a server's name of a language: a name, a code, or a code with a
// region. It is empty for languages that the API does not list.
func CodeOf(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	if code := codes[name]; code != "" {
		return code
	}
	primary, _, _ := strings.Cut(strings.ReplaceAll(name, "_", "-"), "-")
	if primary == "jv" {
		return "jw"
	}
	if listed(primary) {
		return primary
	}
	return ""
}

// listed reports whether the API has a code.
func listed(code string) bool {
	for _, c := range codes {
		if c == code {
			return true
		}
	}
	return false
}

// codes are the languages of Whisper, which are the API's, by the names that Whisper and servers
// like it use.
var codes = map[string]string{
	"afrikaans": "af", "albanian": "sq", "amharic": "am", "arabic": "ar", "armenian": "hy", "assamese": "as",
	"azerbaijani": "az", "bashkir": "ba", "basque": "eu", "belarusian": "be", "bengali": "bn", "bosnian": "bs",
	"breton": "br", "bulgarian": "bg", "burmese": "my", "cantonese": "zh", "castilian": "es", "catalan": "ca",
	"chinese": "zh", "croatian": "hr", "czech": "cs", "danish": "da", "dutch": "nl", "english": "en", "estonian": "et",
	"faroese": "fo", "finnish": "fi", "flemish": "nl", "french": "fr", "galician": "gl", "georgian": "ka",
	"german": "de", "greek": "el", "gujarati": "gu", "haitian": "ht", "haitian creole": "ht", "hausa": "ha",
	"hawaiian": "haw", "hebrew": "he", "hindi": "hi", "hungarian": "hu", "icelandic": "is", "indonesian": "id",
	"italian": "it", "japanese": "ja", "javanese": "jw", "kannada": "kn", "kazakh": "kk", "khmer": "km", "korean": "ko",
	"lao": "lo", "latin": "la", "latvian": "lv", "letzeburgesch": "lb", "lingala": "ln", "lithuanian": "lt",
	"luxembourgish": "lb", "macedonian": "mk", "malagasy": "mg", "malay": "ms", "malayalam": "ml", "maltese": "mt",
	"mandarin": "zh", "maori": "mi", "marathi": "mr", "moldavian": "ro", "moldovan": "ro", "mongolian": "mn",
	"myanmar": "my", "nepali": "ne", "norwegian": "no", "nynorsk": "nn", "occitan": "oc", "panjabi": "pa",
	"pashto":  "ps",
	"persian": "fa", "polish": "pl", "portuguese": "pt", "punjabi": "pa", "pushto": "ps", "romanian": "ro",
	"russian": "ru", "sanskrit": "sa", "serbian": "sr", "shona": "sn", "sindhi": "sd", "sinhala": "si",
	"sinhalese": "si", "slovak": "sk", "slovenian": "sl", "somali": "so", "spanish": "es", "sundanese": "su",
	"swahili": "sw", "swedish": "sv", "tagalog": "tl", "tajik": "tg", "tamil": "ta", "tatar": "tt", "telugu": "te",
	"thai": "th", "tibetan": "bo", "turkish": "tr", "turkmen": "tk", "ukrainian": "uk", "urdu": "ur", "uzbek": "uz",
	"valencian": "ca", "vietnamese": "vi", "welsh": "cy", "yiddish": "yi", "yoruba": "yo",
}
