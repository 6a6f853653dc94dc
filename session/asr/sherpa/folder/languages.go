package folder

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"steno/session/asr/riva/wire"
)

// whisperLanguages are those of OpenAI's Whisper that the API lists.
const whisperLanguages = "en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta " +
	"no th ur hr" +
	" bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af " +
	"oc ka be" +
	" tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su"

// origins are languages of models by their origin, as metadata contain it.
var origins = []struct{ key, has, languages string }{
	{"url", "parakeet-tdt-0.6b-v3", "bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk"},
	{"url", "parakeet-tdt-0.6b-v2", "en"},
	{"model_type", "whisper-distil", "en"},
	{"model_type", "whisper-medium-aishell", "zh"},
}

// names are languages as metadata and folders spell them out.
var names = map[string]string{
	"english": "en", "chinese": "zh", "mandarin": "zh", "russian": "ru", "german": "de", "french": "fr",
	"spanish":  "es",
	"japanese": "ja", "korean": "ko", "thai": "th", "vietnamese": "vi", "arabic": "ar", "italian": "it",
	"portuguese": "pt",
	"dutch":      "nl", "polish": "pl", "turkish": "tr", "ukrainian": "uk", "hindi": "hi", "indonesian": "id",
	"bengali": "bn",
	"hebrew":  "he", "persian": "fa", "swedish": "sv", "danish": "da", "finnish": "fi", "norwegian": "no",
	"czech": "cs",
}

// languages determines the model's languages: by the manifest, the metadata, the kind, or the
// folder's name.
func (l *listing) languages(s spec, m *Model, p parts) {
	if len(l.manifest.Languages) > 0 {
		m.Languages = l.declared()
		return
	}
	switch m.Kind {
	case Segmentation, Embedding, Diarization, Denoiser:
		return
	}
	data := p[s.roles[0]].Metadata
	for _, found := range [][]string{fromMetadata(m.Kind, data), fromName(m.Name), strings.Fields(s.languages)} {
		if len(found) > 0 {
			m.Languages = found
			return
		}
	}
	l.found = append(l.found,
		errors.New(`neither the model nor the folder's name tells its languages: put a model.json`+
			` beside it, such as {"name":"`+m.Name+`","languages":["en"]}`))
}

// declared returns the manifest's languages, all of which must be codes of the API.
func (l *listing) declared() []string {
	for _, code := range l.manifest.Languages {
		if wire.Tag(code) == "" {
			l.fault("model.json", fmt.Errorf("languages: %q is no code of the API", shorten(code)))
		}
	}
	return slices.Clone(l.manifest.Languages)
}

func fromMetadata(k Kind, data map[string]string) []string {
	for _, known := range origins {
		if strings.Contains(data[known.key], known.has) {
			return strings.Fields(known.languages)
		}
	}
	if k == OfflineWhisper {
		if number(data, "is_multilingual") == 0 {
			return []string{"en"}
		}
		return codes(strings.Split(data["all_language_codes"], ","))
	}
	if prompts := data["prompt_dictionary"]; prompts != "" {
		return fromPrompts(prompts)
	}
	return codes([]string{names[strings.ToLower(data["language"])]})
}

// fromPrompts returns the languages that a model can be given, as in {"auto": 101, "en-US": 0}.
func fromPrompts(text string) []string {
	var ids map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &ids) != nil {
		return nil
	}
	return codes(slices.Sorted(maps.Keys(ids)))
}

// fromName finds languages in a folder's name, as in "sherpa-onnx-zipformer-zh-en-2023-11-22".
func fromName(name string) []string {
	parts := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("-_. ", r) })
	var found []string
	for i, part := range parts {
		// GigaAM is a name, "my-model" no Burmese one
		if i > 0 && parts[i-1] == "giga" || i == 0 && part == "my" && len(parts) > 1 {
			continue
		}
		if code, ok := names[part]; ok {
			part = code
		}
		found = append(found, part)
	}
	return codes(found)
}

// codes returns the words that are codes of the API or other spellings of them, each once.
func codes(words []string) []string {
	var found []string
	for _, word := range words {
		if code := wire.Code(strings.TrimSpace(word)); code != "" && !slices.Contains(found, code) {
			found = append(found, code)
		}
	}
	return found
}
