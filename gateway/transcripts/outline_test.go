package transcripts

import (
	"slices"
	"testing"

	"steno/messages"
)

// What was found while several channels spoke is placed in the utterance that it is of.
func TestPlacesOfSimultaneousSpeech(t *testing.T) {
	r, err := newResult([]byte(`{
		"transcription":{"utterances":[
			{"start":0,"end":10,"channel":0,"text":" That is great. But Paris was awful."},
			{"start":5,"end":9.5,"channel":1,"text":" I liked London a lot."},
			{"start":9,"end":14,"channel":0,"text":" Anyway."}]},
		"named_entity_recognition":{"results":[
			{"entity_type":"LOCATION","text":"London","start":6,"end":6.5},
			{"entity_type":"LOCATION","text":"Paris","start":6.5,"end":7}]},
		"sentiment_analysis":{"results":"[{\"sentiment\":\"negative\",\"start\":6,\"end\":9,\"channel\":0},{\"sentiment\":\"positive\",\"start\":5,\"end\":9.5,\"channel\":1},{\"sentiment\":\"negative\",\"start\":9.3,\"end\":9.8,\"channel\":1}]"}}`))
	if err != nil {
		t.Fatal(err)
	}
	o := r.outline()
	for i, want := range []PlacedEntity{{messages.Entity{Text: "London"}, 1}, {messages.Entity{Text: "Paris"}, 0}} {
		if e := o.Entities[i]; e.Text != want.Text || e.Utterance != want.Utterance {
			t.Errorf("%s is in utterance %d, not %d", e.Text, e.Utterance, want.Utterance)
		}
	}
	for i, want := range []int{1, 0, 1} { // the last one extends a little beyond its utterance
		if s := o.Sentiments[i]; s.Utterance != want {
			t.Errorf("what is %s at %v is in utterance %d, not %d", s.Sentiment, s.Start, s.Utterance, want)
		}
	}
}

// Every add-on that returned less than was requested is reported.
func TestFailures(t *testing.T) {
	r, err := newResult([]byte(`{
		"name_consistency":{"success":false,"error":{"status_code":501,"exception":"AddonUnavailable","message":"m"}},
		"sentences":{"success":false,"error":{"status_code":504}},
		"display_mode":{"success":false,"error":{"status_code":504}},
		"summarization":{"success":true,"error":null}}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.outline().Failures {
		got = append(got, f.Addon)
	}
	if want := []string{"name_consistency", "sentences", "display_mode"}; !slices.Equal(got, want) {
		t.Errorf("failures of %q, want %q", got, want)
	}
}
