package transcripts

import (
	"testing"

	"steno/messages"
)

// An utterance has its whole translation, also where utterances in a row are translated together
// and cut at other places.
func TestTranslationsOfUtterances(t *testing.T) {
	r, err := newResult([]byte(`{
		"transcription":{"utterances":[
			{"start":0,"end":4,"channel":0,"text":" Good morning. How are"},
			{"start":2,"end":3,"channel":1,"text":" Hello."},
			{"start":4,"end":7,"channel":0,"text":" you? Fine. I hope."},
			{"start":8,"end":8,"channel":0,"text":" Yes."},
			{"start":9,"end":10,"channel":0,"text":" Well."}]},
		"translation":{"results":[{"languages":["de"],"utterances":[
			{"start":0,"end":2,"channel":0,"text":" Guten Morgen."},
			{"start":2,"end":3,"channel":1,"text":" Hallo."},
			{"start":2.1,"end":4.8,"channel":0,"text":" Wie geht es?"},
			{"start":4.8,"end":5.5,"channel":0,"text":" Gut."},
			{"start":5.5,"end":7,"channel":0,"text":" Hoffe ich."},
			{"start":8,"end":8,"channel":0,"text":" Ja."}]}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	page := r.page(messages.UtterancesQuery{Limit: 10})
	for i, want := range []string{"Guten Morgen. Wie geht es?", "Hallo.", "Gut. Hoffe ich.", "Ja.", ""} {
		if got := page.Items[i].Translations["de"]; got != want {
			t.Errorf("utterance %d is translated to %q, want %q", i, got, want)
		}
	}
}
