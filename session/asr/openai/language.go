package openai

import (
	"maps"
	"slices"
	"strings"

	"steno/session/asr"
)

// language returns the code to ask for; empty: the server detects it.
func (r *Recognizer) language(p asr.Params) (string, error) {
	if p.Language != "" {
		if !r.offers(p.Language) {
			return "", asr.ErrLanguage
		}
		return p.Language, nil
	}
	among := slices.DeleteFunc(slices.Clone(p.Languages), func(code string) bool { return !r.offers(code) })
	switch {
	case len(among) == 0 && len(p.Languages) > 0:
		return "", asr.ErrLanguage
	case len(p.Languages) == 1:
		return among[0], nil
	case r.config.Detects:
		return "", nil
	case len(r.config.Languages) > 0 && (len(among) == 0 || slices.Contains(among, r.config.Languages[0])):
		return r.config.Languages[0], nil
	case len(among) > 0:
		return among[0], nil
	}
	return "", nil
}

// excludes reports whether the utterance cannot be in the language that a server has named.
func (s *stream) excludes(told string) bool {
	code := codeOf(told)
	return code != "" && len(s.params.Languages) > 0 && !slices.Contains(s.params.Languages, code)
}

// candidates returns the languages that the utterance can be in, and which the recognizer offers:
// one at least, since others are refused by language.
func (s *stream) candidates() []string {
	all := slices.DeleteFunc(slices.Clone(s.params.Languages),
		func(code string) bool { return !s.recognizer.offers(code) })
	return all[:min(len(all), maxAsked)]
}

func (r *Recognizer) offers(code string) bool {
	if len(r.config.Languages) > 0 {
		return slices.Contains(r.config.Languages, code)
	}
	return listed(code)
}

// codeOf returns the API's code for a server's name of a language: a name, a code, or a code with a
// region. It is empty for languages that the API does not list.
func codeOf(name string) string {
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

// allCodes returns every code of the API, in order.
func allCodes() []string { return slices.Compact(slices.Sorted(maps.Values(codes))) }

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
