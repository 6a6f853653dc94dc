package messages

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ParsePreRecorded reads the body that asks for a recorded file's transcription, with the defaults filled in. Fields
// that are not known are warned of, see [PreRecordedRequest.Warnings], and null means missing. The Problem names every fault at once with status 400; a
// request that is well formed but refused by its meaning has 422. The caller bounds the body, to [MaxRequestBody].
func ParsePreRecorded(body []byte) (*PreRecordedRequest, *Problem) {
	tree, problem := parseObject(body)
	if problem != nil {
		return nil, problem
	}
	r := new(PreRecordedRequest)
	c := newChecker()
	c.formerVocabulary(tree)
	c.object("", tree, r)
	c.former(tree, &r.LanguageConfig)
	c.formerCallback(r)
	c.checkPreRecorded(r)
	if problem := c.problem(); problem != nil {
		return nil, problem
	}
	c.unknown(recordedKind)
	c.noQuality("translation_config", r.TranslationConfig)
	if config, ok := tree["pii_redaction_config"].(map[string]any); ok {
		_, r.PIIRedactionConfig.lone = config["entity_types"].(string)
	}
	r.SubtitlesConfig = r.SubtitlesConfig.WithDefaults()
	if r.PIIRedaction {
		r.PIIRedactionConfig.fill()
	}
	if r.CustomVocabulary {
		r.CustomVocabularyConfig.fill()
	}
	if problem := r.refused(); problem != nil {
		return nil, problem
	}
	r.warnings = c.warnings
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
	c.needs(r.StructuredDataExtraction, "structured_data_extraction", "structured_data_extraction_config.classes")
	c.questions(r)
	c.durations(r.SubtitlesConfig)
	c.speakers(r.DiarizationConfig)
}

// maxPrompt bounds all parts of a prompt together, in characters.
const maxPrompt = 100_000

// questions finds fault with what nobody can answer, where it is to be asked.
func (c *checker) questions(r *PreRecordedRequest) {
	if r.AudioToLLM && r.AudioToLLMConfig != nil && !c.brokenWithin("audio_to_llm_config.prompts") {
		for i, prompt := range r.AudioToLLMConfig.Prompts {
			c.question("audio_to_llm_config.prompts", i, prompt.Text(), maxPrompt)
		}
	}
	if r.StructuredDataExtraction && !c.brokenWithin("structured_data_extraction_config.classes") {
		for i, class := range r.StructuredDataExtractionConfig.Classes {
			c.question("structured_data_extraction_config.classes", i, class, math.MaxInt)
		}
	}
}

// question finds fault with an item of a list that says nothing or too much.
func (c *checker) question(list string, i int, text string, most int) {
	switch path := join(list, strconv.Itoa(i)); {
	case strings.TrimSpace(text) == "":
		c.fault(path, "must not be empty")
	case utf8.RuneCountInString(text) > most:
		c.fault(path, fmt.Sprintf("must not be longer than %d characters", most))
	}
}

// durations finds fault with a minimum above the maximum. A minimum that no maximum reaches counts as the longest one.
func (c *checker) durations(s SubtitlesConfig) {
	if s.MinimumDuration != nil {
		ordered(c, "subtitles_config", "minimum_duration", new(s.shortest()), "maximum_duration", s.MaximumDuration)
	}
}

// speakers finds fault with counts that contradict each other. No more than 0 says nothing.
func (c *checker) speakers(d DiarizationConfig) {
	most := d.MaxSpeakers
	if most != nil && *most == 0 {
		most = nil
	}
	ordered(c, "diarization_config", "min_speakers", d.MinSpeakers, "max_speakers", most)
	ordered(c, "diarization_config", "min_speakers", d.MinSpeakers, "number_of_speakers", d.NumberOfSpeakers)
	ordered(c, "diarization_config", "number_of_speakers", d.NumberOfSpeakers, "max_speakers", most)
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

// brokenWithin tells whether fault was found with the value at path or with anything in it.
func (c *checker) brokenWithin(path string) bool {
	return c.broken(path) || slices.ContainsFunc(c.faults, func(fault string) bool { return strings.HasPrefix(fault, path+".") })
}

// monolingual are the languages of stt-3, which keeps to the first it hears.
var monolingual = [...]string{"en", "fr", "de", "es", "it"}

// ModelHas tells whether a model of the API is for a language, whatever the engines behind it have.
func ModelHas(model, code string) bool {
	return model != "stt-3" || slices.Contains(monolingual[:], code)
}

// refused is what the chosen model cannot do. Of several languages those it has are enough; with exactly one there is
// nothing to switch between.
func (r *PreRecordedRequest) refused() *Problem {
	if r.Model != "stt-3" {
		return nil
	}
	var why []string
	codes := r.LanguageConfig.Languages
	if len(codes) > 0 && !slices.ContainsFunc(codes, func(code string) bool { return ModelHas(r.Model, code) }) {
		why = append(why, fmt.Sprintf("model stt-3 supports only the languages %s, not %s",
			strings.Join(monolingual[:], ", "), strings.Join(codes, ", ")))
	}
	if r.LanguageConfig.CodeSwitching && len(codes) != 1 {
		why = append(why, "model stt-3 does not support language_config.code_switching")
	}
	if why == nil {
		return nil
	}
	return &Problem{Status: http.StatusUnprocessableEntity, Message: strings.Join(why, "; ")}
}
