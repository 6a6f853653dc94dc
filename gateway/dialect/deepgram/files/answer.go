package files

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/dialect/deepgram"
	"steno/messages"
)

type answer struct {
	Metadata metadata `json:"metadata"`
	Results  results  `json:"results"`
}

type metadata struct {
	TransactionKey string                `json:"transaction_key"`
	ID             string                `json:"request_id"`
	SHA256         string                `json:"sha256"`
	Created        string                `json:"created"`
	Duration       float64               `json:"duration"`
	Channels       int                   `json:"channels"`
	Models         messages.List[string] `json:"models"`
	ModelInfo      map[string]modelInfo  `json:"model_info"`
}

type modelInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Arch    string `json:"arch"`
}

type results struct {
	Channels   messages.List[channel] `json:"channels"`
	Utterances []utterance            `json:"utterances,omitempty"`
	Summary    *summary               `json:"summary,omitempty"`
}

type channel struct {
	Alternatives     messages.List[alternative] `json:"alternatives"`
	DetectedLanguage string                     `json:"detected_language,omitempty"`
	Confidence       *float64                   `json:"language_confidence,omitempty"`
}

type alternative struct {
	Transcript string                       `json:"transcript"`
	Confidence float64                      `json:"confidence"`
	Words      messages.List[deepgram.Word] `json:"words"` // never null
	Paragraphs *paragraphs                  `json:"paragraphs,omitempty"`
	Languages  []string                     `json:"languages,omitempty"`
}

type utterance struct {
	ID         string                       `json:"id"`
	Start      float64                      `json:"start"`
	End        float64                      `json:"end"`
	Confidence float64                      `json:"confidence"`
	Channel    int                          `json:"channel"`
	Transcript string                       `json:"transcript"`
	Words      messages.List[deepgram.Word] `json:"words"`
	Speaker    *int                         `json:"speaker,omitempty"`
}

type summary struct {
	Result string `json:"result"`
	Short  string `json:"short"`
}

// modelID is the id that all models have: there is one version of each.
const modelID = "00000000-0000-4000-8000-000000000001"

// answer returns a result as clients read it.
func (o options) answer(id string, at time.Time, r *result) answer {
	name := o.Model
	if name == "" {
		name = deepgram.DefaultModel
	}
	own := answer{Metadata: metadata{
		TransactionKey: "deprecated", ID: id, SHA256: o.SHA256, Created: at.UTC().Format("2006-01-02T15:04:05.000Z"),
		Duration: r.Metadata.AudioDuration, Models: messages.List[string]{modelID},
		ModelInfo: map[string]modelInfo{modelID: {name, "1", "steno"}},
	}}
	for _, us := range o.byChannel(r) {
		own.Results.Channels = append(own.Results.Channels, o.channel(us))
	}
	own.Metadata.Channels = len(own.Results.Channels)
	if o.Utterances {
		for i := range r.Transcription.Utterances {
			own.Results.Utterances = append(own.Results.Utterances, o.utterance(id, i, r.Transcription.Utterances[i]))
		}
	}
	if s := r.Summarization; o.Summary && s != nil && s.Success && s.Results != nil {
		own.Results.Summary = &summary{"success", *s.Results}
	}
	return own
}

// byChannel returns the utterances of each channel that is shown: all in one, in the order in which
// they begin, unless the request asks for channels.
func (o options) byChannel(r *result) [][]messages.Utterance {
	all := r.Transcription.Utterances
	if !o.Multichannel {
		return [][]messages.Utterance{all}
	}
	last := max(r.Metadata.NumberOfDistinctChannels, 1)
	for i := range all {
		last = max(last, all[i].Channel+1)
	}
	channels := make([][]messages.Utterance, last)
	for _, u := range all {
		channels[u.Channel] = append(channels[u.Channel], u)
	}
	return channels
}

// channel returns what is said on a channel.
func (o options) channel(us []messages.Utterance) channel {
	a := alternative{Transcript: o.written(messages.FullText(us)), Words: messages.List[deepgram.Word]{}}
	var spoken []messages.Word
	for i := range us {
		a.Words = append(a.Words, o.words(us[i])...)
		spoken = append(spoken, us[i].TimedWords()...)
		if code := us[i].Language; code != "" && !slices.Contains(a.Languages, code) {
			a.Languages = append(a.Languages, code)
		}
	}
	a.Confidence = messages.MeanConfidence(spoken)
	if o.Paragraphs && len(us) > 0 {
		a.Paragraphs = paragraphsOf(us)
	}
	c := channel{Alternatives: messages.List[alternative]{a}}
	if o.Detect && len(a.Languages) > 0 {
		certain := 1.0
		c.DetectedLanguage, c.Confidence = a.Languages[0], &certain
	}
	return c
}

// written returns a text as the request wants it.
func (o options) written(text string) string {
	if o.Punctuate {
		return text
	}
	return dialect.Bare(text)
}

func (o options) words(u messages.Utterance) (list messages.List[deepgram.Word]) {
	list = messages.List[deepgram.Word]{}
	for _, w := range u.TimedWords() {
		own := deepgram.WordOf(w, o.Punctuate)
		if o.Speakers {
			own.Speaker = u.Speaker
		}
		list = append(list, own)
	}
	return list
}

func (o options) utterance(id string, n int, u messages.Utterance) utterance {
	own := utterance{ID: fmt.Sprintf("%s-%d", id, n), Start: u.Start, End: u.End, Confidence: u.Confidence,
		Channel: u.Channel, Transcript: o.written(strings.TrimSpace(u.Text)), Words: o.words(u)}
	if o.Speakers {
		own.Speaker = u.Speaker
	}
	return own
}
