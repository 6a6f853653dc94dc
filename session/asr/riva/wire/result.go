package wire

import (
	"math"
	"strings"

	"steno/session/asr"
	"steno/session/asr/riva/rivapb"
)

// samplesPerMs converts the interface's times. Going to milliseconds and back rounds times down to
// a multiple of it.
const samplesPerMs = asr.Rate / 1000

// Alternative converts a result to a message. Words are added if the client asked for them and the
// result has more of them than their text.
func Alternative(r asr.Result, wantWords bool) *rivapb.SpeechRecognitionAlternative {
	a := &rivapb.SpeechRecognitionAlternative{Transcript: transcript(r.Words)}
	if tag := Tag(r.Language); tag != "" {
		a.LanguageCode = []string{tag}
	}
	var sum float64
	known := r.Timed
	for _, w := range r.Words {
		sum += w.Confidence
		known = known || w.Confidence > 0
	}
	if len(r.Words) > 0 {
		a.Confidence = float32(sum / float64(len(r.Words)))
	}
	if wantWords && known {
		a.Words = make([]*rivapb.WordInfo, len(r.Words))
		for i, w := range r.Words {
			a.Words[i] = &rivapb.WordInfo{
				Word: w.Text, Confidence: float32(w.Confidence),
				StartTime: int32(w.Start / samplesPerMs), EndTime: int32(w.End / samplesPerMs),
			}
		}
	}
	return a
}

func transcript(words []asr.Word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return strings.Join(texts, " ")
}

// Words converts an alternative of an utterance of that many samples. Times are clamped to the
// audio and to the order of the words, of which those before begin by from. Without word
// information the transcript is split at white space and timed is false.
func Words(a *rivapb.SpeechRecognitionAlternative, from, samples int) (words []asr.Word, timed bool) {
	if len(a.GetWords()) == 0 {
		for _, text := range strings.Fields(a.GetTranscript()) {
			words = append(words, asr.Word{Text: text})
		}
		return words, false
	}
	at := from
	for _, info := range a.GetWords() {
		text := strings.TrimSpace(info.GetWord())
		if text == "" {
			continue
		}
		start := min(max(int(info.GetStartTime())*samplesPerMs, at), samples)
		end := min(max(int(info.GetEndTime())*samplesPerMs, start), samples)
		at, timed = start, timed || info.GetEndTime() > 0
		words = append(words, asr.Word{Text: text, Start: start, End: end,
			Confidence: confidence(info.GetConfidence())})
	}
	if !timed {
		Untime(words)
	}
	return words, timed
}

// Untime clears the times of words whose times mean nothing.
func Untime(words []asr.Word) {
	for i := range words {
		words[i].Start, words[i].End = 0, 0
	}
}

// confidence maps what servers send to [0,1]: some send natural logarithms of probabilities.
func confidence(c float32) float64 {
	f := float64(c)
	if math.IsNaN(f) {
		return 0
	}
	if f < 0 {
		f = math.Exp(f)
	}
	return rounded(min(f, 1))
}
