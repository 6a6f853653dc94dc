package messages

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// FullText is what all utterances say, in their order: the full_transcript of a [Transcription].
func FullText(us []Utterance) string {
	var whole strings.Builder
	for i := range us {
		if text := strings.TrimSpace(us[i].Text); text != "" {
			whole.WriteString(Gap(whole.String(), text))
			whole.WriteString(text)
		}
	}
	return strings.TrimSpace(whole.String())
}

// TextOf is what words say, joined as they are.
func TextOf(words []Word) string {
	var text strings.Builder
	for _, w := range words {
		text.WriteString(w.Word)
	}
	return text.String()
}

// MeanConfidence is the mean of the words' confidences that are known; 0: none is.
func MeanConfidence(words []Word) float64 {
	sum, known := 0.0, 0
	for _, w := range words {
		if w.Confidence > 0 {
			sum += w.Confidence
			known++
		}
	}
	return sum / float64(max(known, 1))
}

// Gap is what stands between a text and its next word: a space, but within scripts that are written without. The first
// word has one too.
func Gap(before, word string) string {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(word)
	if before != "" && joined(last) && joined(first) {
		return ""
	}
	return " "
}

// joined tells whether a letter or mark is of a script that puts no spaces between words.
func joined(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff01 && r <= 0xff0f || r >= 0xff1a && r <= 0xff20 // their punctuation
}
