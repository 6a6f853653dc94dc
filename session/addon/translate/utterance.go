package translate

import (
	"cmp"
	"context"
	"math"
	"strings"
	"unicode/utf8"

	"steno/messages"
	"steno/session/addon/sentences"
)

// maxRun bounds the characters of utterances that are translated as one text.
const maxRun = 1500

// Utterances translates what was said to a language, by its code. With match_original_utterances
// there is one utterance for each, in order; else one for each sentence, which has the times of the
// speech that it translates: sentences go through the utterances of one speaker that follow on each
// other. Utterances of the target language stay as they are, and so does text without a letter or
// digit; those without text are empty. What could not be translated is missing, beside the error of
// the first such utterance. Channel, speaker and confidence are the original's; words share the
// time by their length. us stays as it is.
func Utterances(ctx context.Context, tr Translator, us []messages.Utterance, target string,
	c messages.TranslationConfig) ([]messages.Utterance, error) {
	runs := together(us, false)
	if !c.MatchOriginalUtterances {
		runs = sentencesIn(us)
	}
	all := make([]messages.Utterance, 0, len(us))
	var first error
	for _, t := range newJob(tr, target, c).translate(ctx, runs, maxFailedTries) {
		if t.failed != nil {
			first = cmp.Or(first, t.failed)
			continue
		}
		all = append(all, t.translated(t.said, target, !c.MatchOriginalUtterances)...)
	}
	return all, first
}

// run is utterances that are translated as one text: at least one, of one language.
type run []messages.Utterance

// together divides utterances into runs: of one utterance each or, if joined, of all utterances of
// one speaker in a row.
func together(us []messages.Utterance, joined bool) []run {
	var runs []run
	size := 0
	for i, u := range us {
		n := utf8.RuneCountInString(u.Text)
		if joined && i > 0 && size+n <= maxRun && follows(us[i-1], u) {
			runs[len(runs)-1] = us[i-len(runs[len(runs)-1]) : i+1]
			size += n
			continue
		}
		runs, size = append(runs, us[i:i+1]), n
	}
	return runs
}

// longSentence is how many characters make a sentence end with its utterance even without a final
// mark.
const longSentence = 200

// sentencesIn divides the words of one speaker in a row into sentences, each a run of the parts of
// utterances that it goes through.
func sentencesIn(us []messages.Utterance) []run {
	var all []run
	for _, r := range together(us, true) {
		var words []messages.Word
		for _, u := range r {
			words = append(words, u.TimedWords()...)
		}
		ends := sentences.Ends(words, r[0].Language)
		var sentence run
		size, at := 0, 0
		for _, u := range r {
			parts := u.TimedWords()
			from := 0
			for i := range parts {
				at++
				if last := i+1 == len(parts); ends[at-1] || last {
					part := part(u, parts, from, i+1)
					sentence, size, from = append(sentence, part), size+utf8.RuneCountInString(part.Text), i+1
					if ends[at-1] || size >= longSentence {
						all, sentence, size = append(all, sentence), nil, 0
					}
				}
			}
			if len(parts) == 0 {
				sentence = append(sentence, u)
			}
		}
		if len(sentence) > 0 {
			all = append(all, sentence)
		}
	}
	return all
}

// part is the words [from,to) of an utterance, the utterance itself where these are all.
func part(u messages.Utterance, words []messages.Word, from, to int) messages.Utterance {
	if from == 0 && to == len(words) {
		return u
	}
	return u.Excerpt(words[from:to:to])
}

func follows(a, b messages.Utterance) bool {
	sameSpeaker := a.Speaker == nil && b.Speaker == nil || a.Speaker != nil && b.Speaker != nil && *a.Speaker ==
		*b.Speaker
	return sameSpeaker && a.Channel == b.Channel && a.Language == b.Language && a.End <= b.Start
}

func (r run) text() string {
	texts := make([]string, len(r))
	for i, u := range r {
		texts[i] = u.Text
	}
	return line(strings.Join(texts, " "))
}

// translated is the run in the other language.
func (r run) translated(s, target string, anew bool) []messages.Utterance {
	s = line(s)
	if r[0].Language == target {
		return r
	}
	parts := []string{s}
	if anew && s != "" {
		parts = sentencesOf(s, target)
	}
	total := 0
	for _, sentence := range parts {
		total += utf8.RuneCountInString(sentence)
	}
	out := make([]messages.Utterance, len(parts))
	at := 0
	for i, sentence := range parts {
		n := utf8.RuneCountInString(sentence)
		out[i] = r.utterance(sentence, target, portion(at, total), portion(at+n, total))
		at += n
	}
	return out
}

func portion(at, total int) float64 {
	if total == 0 {
		return float64(min(at, 1))
	}
	return float64(at) / float64(total)
}

// utterance is a text in place of a portion of the run.
func (r run) utterance(s, target string, from, to float64) messages.Utterance {
	u := messages.Utterance{
		Start: r[0].Start, End: r[len(r)-1].End, Channel: r[0].Channel, Speaker: r[0].Speaker, Language: target,
		Engine:     r[0].Engine,
		Confidence: r.confidence(),
	}
	words := wordsOf(s, target)
	total := 0
	for _, w := range words {
		total += utf8.RuneCountInString(w)
	}
	at := 0
	for _, w := range words {
		n := utf8.RuneCountInString(w)
		u.Words = append(u.Words, messages.Word{
			Word: w, Start: r.at(from + (to-from)*portion(at, total)),
			End: r.at(from + (to-from)*portion(at+n, total)), Confidence: u.Confidence,
		})
		at += n
	}
	if len(words) > 0 {
		u.Text = strings.Join(words, "")
		u.Start, u.End = u.Words[0].Start, u.Words[len(words)-1].End
	}
	return u
}

// confidence is the lowest of the run.
func (r run) confidence() float64 {
	lowest := r[0].Confidence
	for _, u := range r {
		lowest = min(lowest, u.Confidence)
	}
	return lowest
}

// at is the time, in seconds, when a portion of the run's text had been said: evenly in each
// utterance, none between.
func (r run) at(portion float64) float64 {
	total := 0.0
	for _, u := range r {
		total += float64(utf8.RuneCountInString(u.Text))
	}
	left := portion * total
	for i, u := range r {
		n := float64(utf8.RuneCountInString(u.Text))
		if left < n || i == len(r)-1 {
			within := 0.0
			if n > 0 {
				within = min(max(left/n, 0), 1)
			}
			return math.Round((u.Start+(u.End-u.Start)*within)*1e3) / 1e3
		}
		left -= n
	}
	return r[len(r)-1].End
}
