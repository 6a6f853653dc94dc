package files

import (
	"encoding/json"

	"steno/gateway/dialect/assemblyai"
	"steno/messages"
)

// sentiment is the mood of a sentence as clients read it.
type sentiment struct {
	Text       string  `json:"text"`
	Start      int     `json:"start"` // milliseconds
	End        int     `json:"end"`
	Sentiment  string  `json:"sentiment"`
	Confidence float64 `json:"confidence"` // the mean of its words'
	Speaker    *string `json:"speaker"`
	Channel    *string `json:"channel,omitempty"`
}

// moods are sentiments by the names that clients know. Those that are not here are left out.
var moods = map[string]string{
	"positive": "POSITIVE", "negative": "NEGATIVE", "neutral": "NEUTRAL", "mixed": "NEUTRAL",
}

// addSentiments adds the moods of sentences. v has named the speakers.
func (t *transcript) addSentiments(v *voices, r *messages.PreRecordedResult) {
	if r.SentimentAnalysis == nil {
		return
	}
	var found []messages.Sentiment
	if json.Unmarshal([]byte(r.SentimentAnalysis.Results), &found) != nil {
		return // the add-on has failed
	}
	t.Sentiments = []sentiment{}
	for _, one := range found {
		mood, known := moods[one.Sentiment]
		if !known {
			continue
		}
		said := messages.Utterance{Text: one.Text, Start: one.Start, End: one.End, Channel: one.Channel,
			Speaker: one.Speaker, Words: wordsWithin(r.Transcription.Utterances, one)}
		u := v.utterance(&said)
		own := sentiment{Text: u.Text, Start: assemblyai.Milliseconds(one.Start),
			End: assemblyai.Milliseconds(one.End), Sentiment: mood, Channel: u.Channel,
			Confidence: messages.MeanConfidence(said.Words)}
		if v.SpeakerLabels || v.Multichannel {
			own.Speaker = &u.Speaker
		}
		t.Sentiments = append(t.Sentiments, own)
	}
}

// wordsWithin returns the words of a sentence: those of its channel that begin while it lasts.
func wordsWithin(us []messages.Utterance, s messages.Sentiment) (words []messages.Word) {
	for i := range us {
		if us[i].Channel != s.Channel || us[i].End < s.Start || us[i].Start > s.End {
			continue
		}
		for _, w := range us[i].TimedWords() {
			if w.Start >= s.Start && w.Start < s.End {
				words = append(words, w)
			}
		}
	}
	return words
}
