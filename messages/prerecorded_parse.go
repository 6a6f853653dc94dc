package messages

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// ParsePreRecorded reads the body that asks for a recorded file's transcription, with the defaults filled in. Fields
// that are not known are ignored and null means missing. The Problem names every fault at once with status 400; a
// request that is well formed but refused by its meaning has 422. The caller bounds the body, to [MaxRequestBody].
func ParsePreRecorded(body []byte) (*PreRecordedRequest, *Problem) {
	tree, problem := parseObject(body)
	if problem != nil {
		return nil, problem
	}
	r := new(PreRecordedRequest)
	c := newChecker()
	c.object("", tree, r)
	c.oldLanguageFields(tree, &r.LanguageConfig)
	c.checkPreRecorded(r)
	if problem := c.problem(); problem != nil {
		return nil, problem
	}
	if config, ok := tree["pii_redaction_config"].(map[string]any); ok {
		_, r.PIIRedactionConfig.lone = config["entity_types"].(string)
	}
	if problem := r.refused(); problem != nil {
		return nil, problem
	}
	return r, nil
}

// checkPreRecorded finds the faults that concern more than one field.
func (c *checker) checkPreRecorded(r *PreRecordedRequest) {
	if metadataChars(r.CustomMetadata) > MaxMetadataChars {
		c.fault("custom_metadata", "must not be longer than 2000 characters as JSON")
	}
	c.needs(r.CustomVocabulary, "custom_vocabulary", "custom_vocabulary_config.vocabulary")
	c.needs(r.Callback && !c.given["callback_url"], "callback", "callback_config.url")
	c.needs(r.Translation, "translation", "translation_config.target_languages")
	c.needs(r.CustomSpelling, "custom_spelling", "custom_spelling_config.spelling_dictionary")
	c.needs(r.AudioToLLM, "audio_to_llm", "audio_to_llm_config.prompts")
	s, d := r.SubtitlesConfig, r.DiarizationConfig
	ordered(c, "subtitles_config", "minimum_duration", s.MinimumDuration, "maximum_duration", s.MaximumDuration)
	ordered(c, "diarization_config", "min_speakers", d.MinSpeakers, "max_speakers", d.MaxSpeakers)
}

// ordered finds fault where both fields of a config are sound by themselves, but low exceeds high.
func ordered[T int | float64](c *checker, config, lowName string, low *T, highName string, high *T) {
	lowPath, highPath := join(config, lowName), join(config, highName)
	if low == nil || high == nil || *low <= *high || c.broken(lowPath) || c.broken(highPath) {
		return
	}
	c.fault(lowPath, "must not be greater than "+highName)
}

// broken tells whether fault was found with the value at path itself.
func (c *checker) broken(path string) bool {
	return slices.ContainsFunc(c.faults, func(fault string) bool { return strings.HasPrefix(fault, path+" ") })
}

// monolingual are the languages of stt-3, which keeps to the first it hears.
var monolingual = [...]string{"en", "fr", "de", "es", "it"}

// refused is what the chosen model cannot do.
func (r *PreRecordedRequest) refused() *Problem {
	if r.Model != "stt-3" {
		return nil
	}
	var why []string
	for _, code := range r.LanguageConfig.Languages {
		if !slices.Contains(monolingual[:], code) {
			why = append(why, fmt.Sprintf("model stt-3 supports only the languages %s, not %s", strings.Join(monolingual[:], ", "), code))
			break
		}
	}
	if r.LanguageConfig.CodeSwitching {
		why = append(why, "model stt-3 does not support language_config.code_switching")
	}
	if why == nil {
		return nil
	}
	return &Problem{Status: http.StatusUnprocessableEntity, Message: strings.Join(why, "; ")}
}
