package messages

import (
	"encoding/json"
	"strings"
)

// BotRequest are the fields of the form with which a meeting bot sends audio.
type BotRequest struct {
	// SampleRate is that of raw samples, in Hz; 0 where the form names none.
	SampleRate     int            `json:"sample_rate" minimum:"4000" maximum:"192000"`
	LanguageConfig LanguageConfig `json:"language_config"`

	warnings Warnings
}

// Warnings are those about the form, for the bot.
func (r *BotRequest) Warnings() Warnings { return r.warnings }

// botFields are the fields of a bot's form that are read. A bot may send any others, for its own
// use.
var botFields = []string{
	"sample_rate", "language", "enable_code_switching", "code_switching_languages", "transcription_settings",
}

// ParseBotForm reads the fields of a meeting bot's form: sample_rate, language,
// enable_code_switching (true, false, 1 or 0), code_switching_languages (repeated, separated by
// commas, or one JSON array) and transcription_settings (a JSON object of providers, each with the
// options above). Fields that are not known are ignored, empty ones are missing. The Problem lists
// all faults, with status 400. The caller bounds the fields, to [MaxRequestBody] bytes.
func ParseBotForm(fields map[string][]string) (*BotRequest, *Problem) {
	tree := map[string]any{}
	for _, name := range botFields {
		if values := fields[name]; len(values) > 0 && values[0] != "" {
			tree[name] = values[0]
		}
	}
	if text, ok := tree["sample_rate"].(string); ok {
		tree["sample_rate"] = json.Number(strings.TrimSpace(text))
	}
	if text, ok := tree["enable_code_switching"].(string); ok {
		tree["enable_code_switching"] = formBool(text)
	}
	if _, ok := tree["code_switching_languages"]; ok {
		tree["code_switching_languages"] = formList(fields["code_switching_languages"])
	}
	if text, ok := tree["transcription_settings"].(string); ok {
		if settings, problem := parseObject([]byte(text)); problem == nil {
			tree["transcription_settings"] = settings
		}
	}
	r := new(BotRequest)
	d := newBodyDecoder()
	d.object("", tree, r)
	deprecatedFields{d}.language(tree, &r.LanguageConfig)
	if problem := d.problem(); problem != nil {
		return nil, problem
	}
	d.warnUnknown(recordedBody)
	r.warnings = d.warnings.Ignored() // the other names are the form's own
	return r, nil
}

// formBool is a bool, or the text itself where it is none.
func formBool(text string) any {
	switch strings.ToLower(text) {
	case "true", "1":
		return true
	case "false", "0":
		return false
	}
	return text
}

// formList is the items of all values of a field.
func formList(values []string) []any {
	all := []any{}
	for _, text := range values {
		var items []string
		if json.Unmarshal([]byte(text), &items) != nil {
			items = strings.Split(text, ",")
		}
		for _, item := range items {
			all = append(all, validUTF8(strings.TrimSpace(item)))
		}
	}
	return all
}
