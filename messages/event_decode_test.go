package messages

import (
	"strings"
	"testing"
)

// The error of a damaged message names the event of the log.
func TestDecodeDamaged(t *testing.T) {
	for _, k := range []Kind{
		KindFinal, KindTranslation, KindNamedEntityRecognition, KindSentimentAnalysis, KindPostSummarization,
		KindPostChapterization,
	} {
		e := Event{Seq: 7, Key: Key{Kind: k}, Body: []byte(`{"data":`)}
		if _, err := e.Decode(); err == nil || !strings.Contains(err.Error(), "event 7") {
			t.Errorf("%s: %v", k, err)
		}
	}
}
