package messages

import "testing"

func TestWordsAreJoinedAsTheyAreWritten(t *testing.T) {
	for want, words := range map[string][]string{
		" hello there.": {"hello", "there."},
		" 今天。很好":        {"今", "天。", "很", "好"},
		" ok 今天 ok":     {"ok", "今", "天", "ok"},
		" カメラ、です":       {"カ", "メ", "ラ、", "で", "す"},
		" สวัสดีครับ":   {"สวัสดี", "ครับ"},
		" 한국 말":         {"한국", "말"},
		"":              {},
	} {
		text := ""
		for _, w := range words {
			text += Gap(text, w) + w
		}
		if text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
}

func TestPossessive(t *testing.T) {
	for word, want := range map[string]string{
		"Ann's": "Ann", "O'Hara’s": "O'Hara", "IBM'S": "IBM", "it's": "it's", "What’s": "What’s", "its": "its",
		"James'": "James'", "'s": "'s", "": "",
	} {
		if stem, ending := Possessive(word); stem != want || stem+ending != word {
			t.Errorf("%q: %q and %q, want %q", word, stem, ending, want)
		}
	}
}
