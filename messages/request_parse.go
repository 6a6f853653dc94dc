package messages

import (
	"net/http"
	"unicode/utf8"
)

// ParseLive reads the body that opens a live session, with the defaults filled in. Fields that are
// not known are warned of, see [LiveRequest.Warnings], and null means missing. The Problem lists
// all faults, with status 400; a request that is well formed but refused by its meaning has 422.
// The caller bounds the body, to [MaxRequestBody].
func ParseLive(body []byte, declared ...Declaration) (*LiveRequest, *Problem) {
	tree, problem := parseObject(body)
	if problem != nil {
		return nil, problem
	}
	r := new(LiveRequest)
	d := newBodyDecoder(declared...)
	d.object("", tree, r)
	deprecatedFields{d}.language(tree, &r.LanguageConfig)
	checkLive(d, r)
	if r.Container() && !d.has("encoding") { // the stream tells
		d.forgive("bit_depth", "sample_rate", "channels")
		r.BitDepth, r.SampleRate, r.Channels = 16, 16000, 1
	}
	if problem := d.problem(); problem != nil {
		return nil, problem
	}
	d.warnUnknown(liveBody)
	d.warnQuality("realtime_processing.translation_config", r.RealtimeProcessing.TranslationConfig)
	if r.Model != "stt-1" {
		return nil, &Problem{
			Status:  http.StatusUnprocessableEntity,
			Message: "model " + r.Model + " is not available for live sessions: use stt-1",
		}
	}
	if depth, ok := onlyDepths[r.Encoding]; ok {
		r.BitDepth = depth
	}
	fillRealtime(tree, &r.RealtimeProcessing)
	r.explicit, r.warnings = explicitKinds(d, r), d.warnings
	return r, nil
}

// fillRealtime sets the defaults of the add-ons that are on.
func fillRealtime(tree map[string]any, p *RealtimeProcessing) {
	if given, ok := tree["realtime_processing"].(map[string]any); ok {
		config, _ := given["pii_redaction_config"].(map[string]any)
		_, p.PIIRedactionConfig.lone = config["entity_types"].(string)
	}
	if p.PIIRedaction {
		p.PIIRedactionConfig.fill()
	}
	if p.CustomVocabulary {
		p.CustomVocabularyConfig.fill()
	}
}

// checkLive adds the faults that concern more than one field.
func checkLive(d *bodyDecoder, r *LiveRequest) {
	if size := metadataChars(r.CustomMetadata); size > MaxMetadataChars {
		d.fault("custom_metadata", "must not be longer than 2000 characters as JSON")
	}
	p := r.RealtimeProcessing
	d.needs(r.Callback, "callback", "callback_config.url")
	d.needs(p.CustomVocabulary, "realtime_processing.custom_vocabulary",
		"realtime_processing.custom_vocabulary_config.vocabulary")
	d.needs(p.CustomSpelling, "realtime_processing.custom_spelling",
		"realtime_processing.custom_spelling_config.spelling_dictionary")
	d.needs(p.Translation, "realtime_processing.translation", "realtime_processing.translation_config.target_languages")
}

// needs adds a fault where a switch is on and the field it needs was not given.
func (d *bodyDecoder) needs(on bool, flag, field string) {
	if on && !d.given[field] {
		d.fault(field, "must be given when "+flag+" is true")
	}
}

// explicitKinds are those whose flag the body itself turns on.
func explicitKinds(d *bodyDecoder, r *LiveRequest) Filter {
	var set Filter
	m := r.MessagesConfig
	if m.Errors && d.given["messages_config.receive_errors"] {
		set = set.With(KindError)
	}
	if m.PreProcessing && d.given["messages_config.receive_pre_processing_events"] {
		set = set.With(KindPreProcessing)
	}
	if m.PostProcessing && d.given["messages_config.receive_post_processing_events"] {
		set = set.With(KindPostChapterization)
	}
	return set
}

// metadataChars counts the characters of an object as JSON.
func metadataChars(o Object) int {
	text, err := marshal(o)
	if err != nil {
		return MaxMetadataChars + 1
	}
	return utf8.RuneCount(text)
}
