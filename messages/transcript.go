package messages

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is one spoken word. Its text has its leading space, so that the words of an utterance joined
// are its text.
type Word struct {
	Word string `json:"word"`
	// Start and End are seconds from the session's start.
	Start float64 `json:"start"`
	End   float64 `json:"end"`
	// Confidence lies in [0,1]; 0: not known. Finals and partials of a session have none that is
	// not known, see [UnknownConfidence].
	Confidence float64 `json:"confidence"`
}

// UnknownConfidence stands for the confidence of words of which nothing is known, nor of others in
// their utterance.
const UnknownConfidence = 1

// Utterance is what one channel said without a longer pause.
type Utterance struct {
	// Start is that of the first word, End that of the last, in seconds from the session's start.
	Start float64 `json:"start"`
	End   float64 `json:"end"`
	// Confidence lies in [0,1]; 0: not known.
	Confidence float64    `json:"confidence"`
	Channel    int        `json:"channel"`
	Words      List[Word] `json:"words"`
	// Text is the words joined: it begins with a space.
	Text     string `json:"text"`
	Language string `json:"language"`
	// Speaker counts from 0; nil without diarization.
	Speaker *int `json:"speaker,omitempty"`
	// Engine names what recognized this in place of the engine that should have: that one was away.
	// Else empty.
	Engine string `json:"engine,omitempty"`
	// Untimed is set if the recognizer returned no times: those of the words are evenly spread. It
	// is not part of the JSON.
	Untimed bool `json:"-"`
}

// Excerpt returns the utterance with some of its words only, at least one. The slice becomes the
// excerpt's.
func (u Utterance) Excerpt(words []Word) Utterance {
	u.Words = words
	u.Start, u.End = words[0].Start, words[len(words)-1].End
	u.Text, u.Confidence = TextOf(words), MeanConfidence(words)
	return u
}

// TimedWords are the utterance's words; those of its text, evenly spread over its time, where it
// has none. The slice may be the utterance's own.
func (u Utterance) TimedWords() []Word {
	if len(u.Words) > 0 {
		return u.Words
	}
	texts := strings.Fields(u.Text)
	words := make([]Word, len(texts))
	at := func(i int) float64 { return u.Start + (u.End-u.Start)*float64(i)/float64(len(texts)) }
	for i, text := range texts {
		words[i] = Word{Word: " " + text, Start: at(i), End: at(i + 1), Confidence: u.Confidence}
	}
	return words
}

// Transcription is the whole text of a job.
type Transcription struct {
	// FullTranscript is trimmed of white space.
	FullTranscript string `json:"full_transcript"`
	// Languages are ordered by their number of words, most first.
	Languages  List[string]    `json:"languages"`
	Utterances List[Utterance] `json:"utterances"`
	// Sentences and Subtitles are there where they were asked for.
	Sentences []AddonResult[List[string]] `json:"sentences,omitempty"`
	Subtitles []Subtitle                  `json:"subtitles,omitempty"`
}

// Subtitle is a whole subtitle file.
type Subtitle struct {
	Format    string `json:"format"` // srt or vtt
	Subtitles string `json:"subtitles"`
}

// FullText joins the texts of all utterances, in their order: the full_transcript of a
// [Transcription].
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

// TextOf joins words as they are.
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

// Gap is what stands between a text and its next word: a space, but within scripts that are written
// without. The first word has one too.
func Gap(before, word string) string {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(word)
	if before != "" && joined(last) && joined(first) {
		return ""
	}
	return " "
}

// Overlap is the longest end of one text with which the other begins; empty: there is none.
func Overlap(before, after string) string {
	for n := min(len(before), len(after)); n > 0; n-- {
		if strings.HasSuffix(before, after[:n]) {
			return after[:n]
		}
	}
	return ""
}

// Possessive divides an English word before the ending of a possessive: "Ann's" into "Ann" and
// "'s". The ending is empty where there is none, and in "it's" and the like, where it is a verb.
func Possessive(word string) (stem, ending string) {
	for _, ending := range []string{"'s", "’s", "'S", "’S"} {
		stem, ok := strings.CutSuffix(word, ending)
		switch strings.ToLower(stem) {
		case "", "it", "he", "she", "that", "this", "there", "here", "what", "who", "where", "when", "why", "how",
			"let":
			ok = false
		}
		if ok {
			return stem, ending
		}
	}
	return word, ""
}

// EndsSentence reports whether a mark ends a sentence in its script.
func EndsSentence(r rune) bool {
	switch r {
	case '…', '།', '༎', '។', '៕': // Unicode's property has not those of Tibetan and Khmer
		return true
	}
	return unicode.Is(unicode.STerm, r)
}

// EndsPart reports whether a mark ends a sentence or a part of one.
func EndsPart(r rune) bool { return EndsSentence(r) || strings.ContainsRune(",;:，、；：،؛", r) }

// joined reports whether a letter or mark is of a script that puts no spaces between words.
func joined(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff01 && r <= 0xff0f || r >= 0xff1a && r <= 0xff20 // their punctuation
}
