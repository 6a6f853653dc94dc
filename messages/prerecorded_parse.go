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

// ParsePreRecorded reads the body that asks for a recorded file's transcription, with the defaults
// filled in. Fields that are not known are warned of, see [PreRecordedRequest.Warnings], and null
// means missing. The Problem lists all faults, with status 400; a request that is well formed but
// refused by its meaning has 422. The caller bounds the body, to [MaxRequestBody].
func ParsePreRecorded(body []byte, declared ...Declaration) (*PreRecordedRequest, *Problem) {
	tree, problem := parseObject(body)
	if problem != nil {
		return nil, problem
	}
	r := new(PreRecordedRequest)
	d := newBodyDecoder(declared...)
	old := deprecatedFields{d}
	old.vocabulary(tree)
	d.object("", tree, r)
	old.language(tree, &r.LanguageConfig)
	old.callback(r)
	checkPreRecorded(d, r)
	if problem := d.problem(); problem != nil {
		return nil, problem
	}
	d.warnUnknown(recordedBody)
	d.warnQuality("translation_config", r.TranslationConfig)
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
	r.warnings = d.warnings
	return r, nil
}

// checkPreRecorded adds the faults that concern more than one field.
func checkPreRecorded(d *bodyDecoder, r *PreRecordedRequest) {
	if metadataChars(r.CustomMetadata) > MaxMetadataChars {
		d.fault("custom_metadata", "must not be longer than 2000 characters as JSON")
	}
	d.needs(r.CustomVocabulary, "custom_vocabulary", "custom_vocabulary_config.vocabulary")
	d.needs(r.Callback && !d.given["callback_url"], "callback", "callback_config.url")
	d.needs(r.Translation, "translation", "translation_config.target_languages")
	d.needs(r.CustomSpelling, "custom_spelling", "custom_spelling_config.spelling_dictionary")
	d.needs(r.AudioToLLM, "audio_to_llm", "audio_to_llm_config.prompts")
	d.needs(r.StructuredDataExtraction, "structured_data_extraction", "structured_data_extraction_config.classes")
	checkPrompts(d, r)
	checkDurations(d, r.SubtitlesConfig)
	checkSpeakerCounts(d, r.DiarizationConfig)
}

// maxPrompt bounds all parts of a prompt together, in characters.
const maxPrompt = 100_000

// checkPrompts checks the prompts and classes that a language model will be asked about.
func checkPrompts(d *bodyDecoder, r *PreRecordedRequest) {
	if r.AudioToLLM && r.AudioToLLMConfig != nil && !d.hasWithin("audio_to_llm_config.prompts") {
		for i, prompt := range r.AudioToLLMConfig.Prompts {
			checkPrompt(d, "audio_to_llm_config.prompts", i, prompt.Text(), maxPrompt)
		}
	}
	if r.StructuredDataExtraction && !d.hasWithin("structured_data_extraction_config.classes") {
		for i, class := range r.StructuredDataExtractionConfig.Classes {
			checkPrompt(d, "structured_data_extraction_config.classes", i, class, math.MaxInt)
		}
	}
}

// checkPrompt checks that an item of a list is neither blank nor longer than most characters.
func checkPrompt(d *bodyDecoder, list string, i int, text string, most int) {
	switch path := join(list, strconv.Itoa(i)); {
	case strings.TrimSpace(text) == "":
		d.fault(path, "must not be empty")
	case utf8.RuneCountInString(text) > most:
		d.fault(path, fmt.Sprintf("must not be longer than %d characters", most))
	}
}

// checkDurations checks that the minimum is not above the maximum. A minimum that no maximum
// reaches counts as the longest duration.
func checkDurations(d *bodyDecoder, s SubtitlesConfig) {
	if s.MinimumDuration != nil {
		checkOrder(d, "subtitles_config", "minimum_duration", new(s.shortest()), "maximum_duration", s.MaximumDuration)
	}
}

// checkSpeakerCounts checks that the counts do not contradict each other. A max_speakers of 0 means
// that it is not given.
func checkSpeakerCounts(d *bodyDecoder, c DiarizationConfig) {
	most := c.MaxSpeakers
	if most != nil && *most == 0 {
		most = nil
	}
	checkOrder(d, "diarization_config", "min_speakers", c.MinSpeakers, "max_speakers", most)
	checkOrder(d, "diarization_config", "min_speakers", c.MinSpeakers, "number_of_speakers", c.NumberOfSpeakers)
	checkOrder(d, "diarization_config", "number_of_speakers", c.NumberOfSpeakers, "max_speakers", most)
}

// checkOrder adds a fault where both fields of a config are valid on their own, but low exceeds
// high.
func checkOrder[T int | float64](d *bodyDecoder, config, lowName string, low *T, highName string, high *T) {
	lowPath, highPath := join(config, lowName), join(config, highName)
	if low == nil || high == nil || *low <= *high || d.has(lowPath) || d.has(highPath) {
		return
	}
	d.fault(lowPath, "must not be greater than "+highName)
}

// monolingual are the languages of stt-3, which does not switch between them.
var monolingual = [...]string{"en", "fr", "de", "es", "it"}

// ModelHas reports whether a model of the API is for a language, whatever its engines have.
func ModelHas(model, code string) bool {
	return model != "stt-3" || slices.Contains(monolingual[:], code)
}

// refused is what the chosen model cannot do. Of several languages those it has are enough; with
// exactly one there is nothing to switch between.
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
