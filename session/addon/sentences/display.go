package sentences

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"steno/messages"
	"steno/session/addon"
)

// Display puts what was said into reading order and returns each turn as a line.
//
// Turns are the utterances ordered by start. If another voice (another channel or speaker) begins
// during an utterance, the utterance is divided at the next end of a sentence, or pause: the other
// voice comes between, and the rest follows as a new utterance. An interjection never divides a
// sentence, and an utterance without simultaneous speech stays whole. Every word is in one turn,
// the words of a speaker in their order.
//
// A line begins with "Speaker 0: " where speakers are known, with "Channel 1: " where there are
// several channels, which are counted from 1.
func Display(us []messages.Utterance) (turns []messages.Utterance, lines []string) {
	starts := startsOf(us)
	var all []dated[messages.Utterance]
	said := map[voice]float64{} // the latest start so far
	for _, u := range byStart(us) {
		v := voiceOf(u)
		for _, piece := range starts.cut(u) {
			said[v] = max(said[v], piece.Start)
			all = append(all, dated[messages.Utterance]{piece, said[v]})
		}
	}
	turns = inOrder(all)
	several := slices.ContainsFunc(us, func(u messages.Utterance) bool { return u.Channel != us[0].Channel })
	for _, t := range turns {
		lines = append(lines, label(t, several)+strings.TrimSpace(t.Text))
	}
	return turns, lines
}

func label(u messages.Utterance, channels bool) string {
	switch {
	case u.Speaker != nil && channels:
		return fmt.Sprintf("Channel %d, speaker %d: ", u.Channel+1, *u.Speaker)
	case u.Speaker != nil:
		return fmt.Sprintf("Speaker %d: ", *u.Speaker)
	case channels:
		return fmt.Sprintf("Channel %d: ", u.Channel+1)
	}
	return ""
}

// voice is a speaker on a channel, -1 if unknown.
type voice struct{ channel, speaker int }

func voiceOf(u messages.Utterance) voice {
	if u.Speaker == nil {
		return voice{u.Channel, -1}
	}
	return voice{u.Channel, *u.Speaker}
}

// starts holds the times at which utterances begin, in seconds, ascending.
type starts struct {
	all  []float64
	each map[voice][]float64
}

func startsOf(us []messages.Utterance) starts {
	s := starts{each: map[voice][]float64{}}
	for _, u := range byStart(us) {
		s.all = append(s.all, u.Start)
		s.each[voiceOf(u)] = append(s.each[voiceOf(u)], u.Start)
	}
	return s
}

// others reports whether another voice than v begins in [from,to).
func (s starts) others(v voice, from, to float64) bool {
	return within(s.all, from, to) > within(s.each[v], from, to)
}

// within returns how many of the ordered times lie in [from,to).
func within(times []float64, from, to float64) int {
	a, _ := slices.BinarySearch(times, from)
	b, _ := slices.BinarySearch(times, to)
	return b - a
}

// cut divides an utterance where other voices begin.
func (s starts) cut(u messages.Utterance) []messages.Utterance {
	var pieces []messages.Utterance
	from := 0
	for _, at := range rests(u) {
		if s.others(voiceOf(u), u.Words[from].Start, u.Words[at].Start) {
			pieces = append(pieces, part(u, from, at))
			from = at
		}
	}
	if from == 0 {
		return []messages.Utterance{u}
	}
	return append(pieces, part(u, from, len(u.Words)))
}

// rests returns the indices of the words before which an utterance may be divided.
func rests(u messages.Utterance) []int {
	r := run{language: u.Language}
	for _, w := range u.Words {
		r.words = append(r.words, word{Word: w})
	}
	punctuated := slices.ContainsFunc(r.words, func(w word) bool { return marked(w.Word.Word) })
	var at []int
	for done := 0; done < len(r.words); {
		done += r.next(r.words[done:], punctuated)
		if done < len(r.words) {
			at = append(at, done)
		}
	}
	return at
}

// part returns a new utterance of the words [from,to).
func part(u messages.Utterance, from, to int) messages.Utterance {
	u.Words = slices.Clone(u.Words[from:to])
	u.Start, u.End = u.Words[0].Start, 0
	for _, w := range u.Words {
		u.End = max(u.End, w.End)
	}
	u.Text, u.Confidence = messages.TextOf(u.Words), messages.MeanConfidence(u.Words)
	return u
}

// DisplayMode is display_mode: the transcript in reading order, turn by turn.
type DisplayMode struct{}

// Name implements [addon.Addon].
func (DisplayMode) Name() string { return "display_mode" }

// Offer implements [addon.Addon].
func (d DisplayMode) Offer(context.Context) messages.Addon {
	return addon.Offer(d.Name(), addon.PreRecordedOnly, addon.Embedded)
}

// Analyze implements [addon.TranscriptAnalyzer].
func (d DisplayMode) Analyze(ctx context.Context, j *addon.Job, result *messages.PreRecordedResult) {
	if !j.Request.DisplayMode {
		return
	}
	lines := func(_ context.Context, us []messages.Utterance) (messages.List[string], error) {
		_, lines := Display(us)
		return lines, nil
	}
	result.DisplayMode = addon.Whole(ctx, j.Runner, d.Name(), addon.Provider[[]messages.Utterance,
		messages.List[string]]{Name: addon.Embedded, Do: lines}, j.Utterances, addon.IsEmpty)
}
