package transcripts

import (
	"slices"
	"testing"

	"steno/messages"
)

// A transcript as plain text is that of the result in paragraphs: no space stands where a script
// has none.
func TestPlainText(t *testing.T) {
	for want, said := range map[string][]string{
		"Channel 1, 0:00\nGood morning. How are you?\n": {" Good morning.", "", " How are you?"},
		"Channel 1, 0:00\n早上好。你怎么样？\n":                  {" 早上好。", " 你怎么样？"},
		"Channel 1, 0:00\nสวัสดีครับสบายดีไหม\n":        {" สวัสดีครับ", " สบายดีไหม"},
		"": {"", " "},
	} {
		var us []messages.Utterance
		for _, text := range said {
			us = append(us, messages.Utterance{Text: text})
		}
		if got := plainText(us); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A translation that failed for everything is none; one that failed for a part is there.
func TestFailedTranslation(t *testing.T) {
	r, err := newResult([]byte(`{"transcription":{},"translation":{"results":[
		{"languages":["fr"],"error":{"status_code":502},"utterances":[]},
		{"languages":["es"],"error":{"status_code":502},"utterances":[{"text":" Hola.","words":[]}]},
		{"languages":["it"],"error":null,"utterances":[]}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.outline().Translated, (messages.List[string]{"es", "it"}); !slices.Equal(got, want) {
		t.Errorf("translations to %q, want %q", got, want)
	}
	for language, there := range map[string]bool{"fr": false, "es": true, "it": true, "de": false} {
		if _, err := r.file(messages.TranscriptQuery{Format: messages.FormatText, Language: language}); (err == nil) !=
			there {
			t.Errorf("a file in %s: %v", language, err)
		}
	}
}

// A job that failed has no transcript; one in which nothing was said has an empty one.
func TestFileOfFailedJob(t *testing.T) {
	for _, format := range []string{messages.FormatText, messages.FormatSRT, messages.FormatVTT} {
		q := messages.TranscriptQuery{Format: format}
		if text, err := new(result).file(q); err == nil {
			t.Errorf("failed, as %s: %q", format, text)
		}
		silent, err := newResult([]byte(`{"transcription":{"utterances":[]}}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := silent.file(q); err != nil {
			t.Errorf("silent, as %s: %v", format, err)
		}
	}
}
