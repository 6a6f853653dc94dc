package models

import "slices"

// Recommend returns models for good live transcription of a language: one for finals, then a small
// one for partials, if there is one. It returns false for a language that no model of the catalogue
// has.
//
// The choice is the lowest published error rate for the language among the models that run on a
// processor in real time; models for one language before those for many; Whisper turbo if there is
// no other.
func Recommend(language string) ([]Entry, bool) {
	var chosen []Entry
	for _, name := range recommended(language) {
		if e, ok := Find(name); ok && e.Speaks(language) {
			chosen = append(chosen, e)
		}
	}
	return chosen, len(chosen) > 0
}

func recommended(language string) []string {
	switch language {
	case "en":
		return []string{"parakeet-tdt-0.6b-v2", "fastconformer-en-80ms"}
	case "de", "es", "fr":
		return []string{"parakeet-tdt-0.6b-v3", "kroko-" + language}
	case "ru":
		return []string{"gigaam-v3-ru", "t-one-ru"}
	case "zh":
		return []string{"sense-voice", "zipformer-zh-en"}
	case "ja":
		return []string{"parakeet-ctc-0.6b-ja"}
	case "ko":
		return []string{"sense-voice", "zipformer-ko"}
	case "tr", "ar", "hi", "vi": // "ready" in Nemotron, and in nothing else that streams
		return []string{"nemotron-3.5-560ms"}
	}
	if slices.Contains(europeanLanguages(), language) {
		return []string{"parakeet-tdt-0.6b-v3"}
	}
	return []string{"whisper-turbo"}
}
