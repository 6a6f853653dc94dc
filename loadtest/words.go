package loadtest

import (
	"strings"

	"steno/messages"
	"steno/session/asr/wer"
)

// wordErrors sums up how far transcripts are from what was said.
type wordErrors struct {
	Recordings int `json:"recordings"` // played whole and compared
	Words      int `json:"words"`      // in their transcripts
	Errors     int `json:"errors"`     // words to be changed, added and left out, the fewest possible
}

// rate is the word error rate.
func (w wordErrors) rate() float64 {
	if w.Words == 0 {
		return 0
	}
	return float64(w.Errors) / float64(w.Words)
}

// heardWords gathers the words of a session's finals with their times, to be compared with the
// transcripts of the recordings that were played at these times. A nil one gathers nothing.
type heardWords struct {
	track *track
	all   []heardWord
}

type heardWord struct {
	middle float64 // seconds of the session
	text   string
}

// newHeardWords returns nil for a track without transcripts, and for one whose channels do not play
// the same.
func newHeardWords(t *track) *heardWords {
	if t.format.Channels > 1 {
		return nil
	}
	for _, p := range t.loop {
		if p.transcript != "" {
			return &heardWords{track: t}
		}
	}
	return nil
}

func (h *heardWords) add(u messages.Utterance) {
	if h == nil {
		return
	}
	if len(u.Words) == 0 {
		h.all = append(h.all, heardWord{(u.Start + u.End) / 2, u.Text})
	}
	for _, w := range u.Words {
		h.all = append(h.all, heardWord{(w.Start + w.End) / 2, w.Word})
	}
}

// errors compares what was heard during each recording that was played from beginning to end with
// its transcript.
func (h *heardWords) errors() wordErrors {
	var sum wordErrors
	if h == nil {
		return sum
	}
	for at := -h.track.offset; at < h.track.length; at += h.track.period {
		from := at
		for _, p := range h.track.loop {
			to := from + int64(len(p.data))
			if p.transcript != "" && from >= 0 && to <= h.track.length {
				score := wer.Of(p.transcript, h.between(from, to), "")
				sum.Recordings++
				sum.Words += score.Words
				sum.Errors += score.Errors
			}
			from = to
		}
	}
	return sum
}

// between joins the words heard between two positions, in bytes.
func (h *heardWords) between(from, to int64) string {
	start, end := h.track.format.Seconds(from), h.track.format.Seconds(to)
	var b strings.Builder
	for _, w := range h.all {
		if start <= w.middle && w.middle < end {
			b.WriteString(w.text)
			b.WriteByte(' ')
		}
	}
	return b.String()
}
