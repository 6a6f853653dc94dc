package vocabulary

import (
	"fmt"
	"testing"

	"steno/messages"
)

// An engine that makes up languages makes no more correctors than are allowed.
func TestCorrectorsAreBounded(t *testing.T) {
	q, problem := messages.ParseLive([]byte(`{"realtime_processing":{"custom_vocabulary":true,"custom_vocabulary_config":{"vocabulary":["Steno"]}}}`))
	if problem != nil {
		t.Fatal(problem)
	}
	c := newCorrectors(*q.RealtimeProcessing.CustomVocabularyConfig)
	for i := range 2 * maxCorrectors {
		if got := c.of(fmt.Sprint("x", i)).Apply(messages.Utterance{Text: " hello",
			Words: []messages.Word{{Word: " hello"}}}); got.Text != " hello" {
			t.Fatalf("got %q", got.Text)
		}
	}
	if n := len(c.byLanguage); n > maxCorrectors+1 {
		t.Errorf("%d correctors", n)
	}
}
