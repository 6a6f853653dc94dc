package transcripts

import (
	"testing"

	"steno/messages"
)

// A transcript as plain text is that of the result in paragraphs: no space stands where a script has none.
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
