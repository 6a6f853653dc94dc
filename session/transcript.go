package session

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"steno/audio"
	"steno/messages"
	"steno/session/asr"
	"steno/session/speaker"
)

// transcript turns a recognizer's result into the client's words: times from the session's start,
// each word with its leading space, in the vocabulary and the spelling that the request asks for.
func transcript(l *lane, u *utterance, r asr.Result) messages.Transcript {
	words := make([]messages.Word, 0, len(r.Words))
	times := wordTimes(u, r)
	var text strings.Builder
	for i, w := range r.Words {
		word := messages.Word{
			Word:       messages.Gap(text.String(), w.Text) + w.Text,
			Start:      l.seconds(times[i].start),
			End:        l.seconds(times[i].end),
			Confidence: probability(w.Confidence),
		}
		text.WriteString(word.Word)
		words = append(words, word)
	}
	from, to := u.speech()
	t := messages.Transcript{
		ID: u.id, IsFinal: r.Final, By: endedBy(u), From: l.seconds(from), To: l.seconds(to),
	}
	t.Utterance = messages.Utterance{
		Channel:    l.channel,
		Words:      words,
		Text:       text.String(),
		Language:   l.language.label(r.Language),
		Confidence: confidence(r.Words),
		Untimed:    !r.Timed,
	}
	if r.Fallback {
		t.Utterance.Engine = r.Engine
	}
	if n := len(words); n > 0 {
		t.Utterance.Start, t.Utterance.End = words[0].Start, words[n-1].End
	}
	t.Utterance = u.rewrite(t.Utterance)
	fillConfidences(&t.Utterance)
	return t
}

// fillConfidences sets unknown confidences of words to that of the utterance, 1 if that is unknown
// too. The add-ons must have read the words before.
func fillConfidences(u *messages.Utterance) {
	if len(u.Words) == 0 {
		return
	}
	if u.Confidence == 0 {
		u.Confidence = cmp.Or(messages.MeanConfidence(u.Words), messages.UnknownConfidence)
	}
	for i := range u.Words {
		if u.Words[i].Confidence == 0 {
			u.Words[i].Confidence = u.Confidence
		}
	}
}

// wordTime is where a word lies in its lane.
type wordTime struct{ start, end int64 }

// wordTimes returns the times of a result's words: those of the recognizer, or, where it has none,
// evenly spread. They lie within the speech of the utterance, as the speech events have it: the
// recognizer is given more audio, and may take it for a part of the first or the last words. Those
// that lie outside, but for less than a tick, share the time of the first or the last one that does
// not. They are in order, and none is shorter than a tick where there is room for all.
func wordTimes(u *utterance, r asr.Result) []wordTime {
	from, to := u.speech()
	if len(r.Words) == 0 {
		return nil
	}
	return inOrder(wordTimesWithin(u, r, from, to), from, to)
}

// inOrder moves times that overlap, or are shorter than a tick.
func inOrder(times []wordTime, from, to int64) []wordTime {
	if to-from < int64(len(times))*audio.TickSamples {
		share(times, from, to)
		return times
	}
	at := from
	for i := range times {
		t := &times[i]
		t.start = max(t.start, at)
		if i+1 < len(times) {
			t.end = min(t.end, max(times[i+1].start, at))
		}
		t.end = max(t.end, t.start+audio.TickSamples)
		at = t.end
	}
	for i, limit := len(times)-1, to; i >= 0 && times[i].end > limit; i-- {
		times[i].end = limit
		times[i].start = min(times[i].start, limit-audio.TickSamples)
		limit = times[i].start
	}
	return times
}

// wordTimesWithin is wordTimes without order, for speech between two positions.
func wordTimesWithin(u *utterance, r asr.Result, from, to int64) []wordTime {
	times := make([]wordTime, len(r.Words))
	if !r.Timed {
		share(times, from, to)
		return times
	}
	first, last := len(times), -1
	for i, w := range r.Words {
		start := min(max(u.from+int64(w.Start), from), to)
		times[i] = wordTime{start, min(max(u.from+int64(w.End), start), to)}
		if u.from+int64(w.End) >= from+audio.TickSamples {
			first = min(first, i)
		}
		if u.from+int64(w.Start) <= to-audio.TickSamples {
			last = i
		}
	}
	switch ends := len(times) - 1; {
	case first > ends || last < 0:
		share(times, from, to)
	case first < last:
		share(times[:first+1], times[0].start, times[first].end)
		share(times[last:], times[last].start, times[ends].end)
	case first > 0 || last < ends:
		share(times, times[0].start, times[ends].end)
	}
	return times
}

// share spreads words evenly over a time.
func share(times []wordTime, from, to int64) {
	n := int64(len(times))
	for i := range n {
		times[i] = wordTime{from + (to-from)*i/n, from + (to-from)*(i+1)/n}
	}
}

// confidence of an utterance: the mean over the words whose confidence is known, 0 if none is.
func confidence(words []asr.Word) float64 {
	var sum float64
	var n int
	for _, w := range words {
		if w.Confidence > 0 {
			sum += min(w.Confidence, 1)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return round(sum / float64(n))
}

// probability is a confidence that is known as a positive number of thousandths, and 0 as 0.
func probability(p float64) float64 {
	if p <= 0 {
		return 0
	}
	return max(round(min(p, 1)), 0.001)
}

// round to a thousandth: what a confidence can mean, and what makes its text short.
func round(x float64) float64 { return math.Round(x*1000) / 1000 }

// speakerLabels numbers the speakers of a lane's finals where the request asks for diarization: by
// channel where there are several channels, else by voice. It belongs to the lane's collector.
type speakerLabels struct {
	tracker *speaker.Tracker // nil: not by voice
	channel *int             // nil: not by channel
}

func newSpeakerLabels(r *messages.LiveRequest, channel int) speakerLabels {
	switch {
	case !r.RealtimeProcessing.Diarization:
		return speakerLabels{}
	case r.Channels > 1:
		return speakerLabels{channel: &channel}
	}
	return speakerLabels{tracker: speaker.NewTracker(0)}
}

// label is the speaker's number of an utterance whose audio the function returns, nil without
// diarization. It is called once for each final with words, in their order.
func (s *speakerLabels) label(audio func() []int16) *int {
	if s.tracker == nil {
		return s.channel
	}
	n := s.tracker.Add(audio())
	return &n
}

// appendState appends the voices known so far to a lane's checkpoint.
func (s *speakerLabels) appendState(b []byte) []byte {
	if s.tracker == nil {
		return b
	}
	return s.tracker.AppendState(b)
}

// restoreState restores the voices of a checkpoint and returns the rest of the checkpoint.
func (s *speakerLabels) restoreState(b []byte) (rest []byte, err error) {
	if s.tracker == nil {
		return b, nil
	}
	if rest, err = s.tracker.RestoreState(b); err != nil {
		return nil, fmt.Errorf("%w: %w", errCheckpoint, err)
	}
	return rest, nil
}
