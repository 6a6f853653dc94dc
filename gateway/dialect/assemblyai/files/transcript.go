package files

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"steno/gateway/dialect"
	"steno/gateway/dialect/assemblyai"
	"steno/messages"
)

// transcript is a job as clients read it.
type transcript struct {
	ID            string      `json:"id"`
	Status        string      `json:"status"`
	AudioURL      string      `json:"audio_url"`
	LanguageModel string      `json:"language_model"`
	AcousticModel string      `json:"acoustic_model"`
	LanguageCode  *string     `json:"language_code"`
	Text          *string     `json:"text"`
	Words         []word      `json:"words"`
	Utterances    []utterance `json:"utterances"`
	Confidence    *float64    `json:"confidence"`
	AudioDuration *int        `json:"audio_duration"` // whole seconds
	Punctuate     bool        `json:"punctuate"`
	FormatText    bool        `json:"format_text"`
	Multichannel  bool        `json:"multichannel"`
	SpeakerLabels bool        `json:"speaker_labels"`
	AudioChannels *int        `json:"audio_channels,omitempty"`
	Summarization bool        `json:"summarization"`
	Summary       *string     `json:"summary"`
	AutoChapters  bool        `json:"auto_chapters"`
	Chapters      []chapter   `json:"chapters"`
	Entities      []entity    `json:"entities"`
	Sentiment     bool        `json:"sentiment_analysis"`
	Sentiments    []sentiment `json:"sentiment_analysis_results"`
	RedactPII     bool        `json:"redact_pii"`
	WebhookURL    *string     `json:"webhook_url"`
	Error         string      `json:"error,omitempty"`
}

type word = assemblyai.Word

type utterance struct {
	Text       string              `json:"text"`
	Start      int                 `json:"start"`
	End        int                 `json:"end"`
	Confidence float64             `json:"confidence"`
	Speaker    string              `json:"speaker"`
	Channel    *string             `json:"channel,omitempty"`
	Words      messages.List[word] `json:"words"`
}

type chapter struct {
	Gist     string `json:"gist"`
	Headline string `json:"headline"`
	Summary  string `json:"summary"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
}

type entity struct {
	Type  string `json:"entity_type"`
	Text  string `json:"text"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// transcriptOf returns a job as clients read it.
func transcriptOf(r *dialect.Record) (transcript, error) {
	o, err := parseOptions(r.Options)
	if err != nil {
		return transcript{}, err
	}
	var asked messages.PreRecordedRequest
	if err := json.Unmarshal(r.Params, &struct {
		URL      *string                  `json:"audio_url"`
		Summary  *bool                    `json:"summarization"`
		Chapters *bool                    `json:"chapterization"`
		Moods    *bool                    `json:"sentiment_analysis"`
		Redact   *bool                    `json:"pii_redaction"`
		Callback *messages.ResultCallback `json:"callback_config"`
	}{&asked.AudioURL, &asked.Summarization, &asked.Chapterization, &asked.SentimentAnalysis, &asked.PIIRedaction,
		nil}); err != nil {
		return transcript{}, fmt.Errorf("read request: %w", err)
	}
	t := transcript{
		ID: r.ID, Status: statuses[r.Status], AudioURL: o.AudioURL, LanguageModel: "assemblyai_default",
		AcousticModel: "assemblyai_default", Punctuate: !o.Plain, FormatText: !o.Plain, Multichannel: o.Multichannel,
		SpeakerLabels: o.SpeakerLabels, Summarization: asked.Summarization, AutoChapters: asked.Chapterization,
		Sentiment: asked.SentimentAnalysis, RedactPII: asked.PIIRedaction, LanguageCode: optional(o.Language),
	}
	if t.AudioURL == "" {
		t.AudioURL = asked.AudioURL
	}
	switch {
	case r.Failed != nil:
		t.Error = r.Failed.Message
	case r.Result != nil:
		t.fill(o, r.Result)
	}
	return t, nil
}

// fill adds a result.
func (t *transcript) fill(o options, r *messages.PreRecordedResult) {
	us := r.Transcription.Utterances
	text, seconds := o.written(r.Transcription.FullTranscript), int(math.Ceil(r.Metadata.AudioDuration))
	t.Text, t.AudioDuration, t.Words = &text, &seconds, []word{}
	v := newVoices(o)
	var spoken []messages.Word
	for i := range us {
		own := v.utterance(&us[i])
		t.Words = append(t.Words, own.Words...)
		spoken = append(spoken, us[i].TimedWords()...)
		if o.SpeakerLabels || o.Multichannel {
			t.Utterances = append(t.Utterances, own)
		}
	}
	confidence := messages.MeanConfidence(spoken)
	t.Confidence = &confidence
	if len(r.Transcription.Languages) > 0 && t.LanguageCode == nil {
		t.LanguageCode = &r.Transcription.Languages[0]
	}
	if o.Multichannel {
		t.AudioChannels = &r.Metadata.NumberOfDistinctChannels
	}
	if s := r.Summarization; s != nil && s.Success {
		t.Summary = s.Results
	}
	t.addChapters(r)
	t.addSentiments(v, r)
}

// addChapters adds chapters and what the text names.
func (t *transcript) addChapters(r *messages.PreRecordedResult) {
	if c := r.Chapterization; c != nil {
		for _, one := range c.Results {
			t.Chapters = append(t.Chapters, chapter{one.Gist, one.Headline, one.Summary,
				assemblyai.Milliseconds(one.Start), assemblyai.Milliseconds(one.End)})
		}
	}
	if e := r.NamedEntityRecognition; e != nil {
		for _, one := range e.Results {
			t.Entities = append(t.Entities, entity{strings.ToLower(one.EntityType), one.Text,
				assemblyai.Milliseconds(one.Start), assemblyai.Milliseconds(one.End)})
		}
	}
}

// written returns a text as the request wants it.
func (o options) written(text string) string {
	if o.Plain {
		return dialect.Bare(text)
	}
	return text
}

// voices names the speakers of a recording, in the order in which they first speak.
type voices struct {
	options
	letters map[[2]int]string // by channel and number
}

func newVoices(o options) *voices { return &voices{o, map[[2]int]string{}} }

// speaker returns the letter of who speaks.
func (v *voices) speaker(u *messages.Utterance) string {
	id := [2]int{u.Channel, -1}
	if u.Speaker != nil {
		id[1] = *u.Speaker
	}
	if !v.Multichannel {
		id[0] = 0 // channels are no voices unless the request wants that
	}
	if v.letters[id] == "" {
		v.letters[id] = assemblyai.Letter(len(v.letters))
	}
	return v.letters[id]
}

// utterance returns an utterance as clients read it.
func (v *voices) utterance(u *messages.Utterance) utterance {
	own := utterance{Text: v.written(strings.TrimSpace(u.Text)), Start: assemblyai.Milliseconds(u.Start),
		End: assemblyai.Milliseconds(u.End), Confidence: u.Confidence, Speaker: v.speaker(u),
		Words: messages.List[word]{}}
	if v.Multichannel {
		own.Channel = optional(fmt.Sprint(u.Channel + 1))
	}
	for _, w := range u.TimedWords() {
		one := word{Text: v.written(strings.TrimSpace(w.Word)), Start: assemblyai.Milliseconds(w.Start),
			End: assemblyai.Milliseconds(w.End), Confidence: w.Confidence, Channel: own.Channel}
		if v.SpeakerLabels || v.Multichannel {
			one.Speaker = &own.Speaker
		}
		own.Words = append(own.Words, one)
	}
	return own
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
