package files

import (
	"encoding/json"
	"testing"

	"steno/messages"
)

// Moods come with the names, the times, the speakers and the confidence of what was said.
func TestSentiments(t *testing.T) {
	second := 1
	word := func(text string, start, confidence float64) messages.Word {
		return messages.Word{Word: " " + text, Start: start, End: start + 0.5, Confidence: confidence}
	}
	result := &messages.PreRecordedResult{
		Transcription: &messages.Transcription{Utterances: messages.List[messages.Utterance]{
			{Start: 0, End: 1, Text: " So good", Words: messages.List[messages.Word]{word("So", 0, 0.5),
				word("good", 0.5, 1)}},
			{Start: 1, End: 1.5, Text: " Bad", Speaker: &second,
				Words: messages.List[messages.Word]{word("Bad", 1, 0.25)}},
		}},
		SentimentAnalysis: &messages.AddonResult[string]{Success: true, Results: `[
			{"sentiment":"positive","emotion":"joy","text":"So good","start":0,"end":1,"channel":0},
			{"sentiment":"negative","text":"Bad","start":1,"end":1.5,"channel":0,"speaker":1},
			{"sentiment":"mixed","text":"Bad","start":1,"end":1.5,"channel":0,"speaker":1},
			{"sentiment":"unknown","text":"Bad","start":1,"end":1.5,"channel":0,"speaker":1}]`},
	}
	for o, want := range map[options]string{
		{SpeakerLabels: true}: `[
			{"text":"So good","start":0,"end":1000,"sentiment":"POSITIVE","confidence":0.75,"speaker":"A"},
			{"text":"Bad","start":1000,"end":1500,"sentiment":"NEGATIVE","confidence":0.25,"speaker":"B"},
			{"text":"Bad","start":1000,"end":1500,"sentiment":"NEUTRAL","confidence":0.25,"speaker":"B"}]`,
		{Plain: true}: `[
			{"text":"so good","start":0,"end":1000,"sentiment":"POSITIVE","confidence":0.75,"speaker":null},
			{"text":"bad","start":1000,"end":1500,"sentiment":"NEGATIVE","confidence":0.25,"speaker":null},
			{"text":"bad","start":1000,"end":1500,"sentiment":"NEUTRAL","confidence":0.25,"speaker":null}]`,
		{Multichannel: true}: `[
			{"text":"So good","start":0,"end":1000,"sentiment":"POSITIVE","confidence":0.75,"speaker":"A",
				"channel":"1"},
			{"text":"Bad","start":1000,"end":1500,"sentiment":"NEGATIVE","confidence":0.25,"speaker":"B",
				"channel":"1"},
			{"text":"Bad","start":1000,"end":1500,"sentiment":"NEUTRAL","confidence":0.25,"speaker":"B",
				"channel":"1"}]`,
	} {
		var got transcript
		got.fill(o, result)
		var wanted []sentiment
		if err := json.Unmarshal([]byte(want), &wanted); err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(got.Sentiments)
		if again, _ := json.Marshal(wanted); string(text) != string(again) {
			t.Errorf("%+v: %s, want %s", o, text, again)
		}
	}
}
