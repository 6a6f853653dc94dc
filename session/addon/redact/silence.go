package redact

import (
	"cmp"
	"math"
	"regexp"
	"slices"

	"steno/audio"
	"steno/messages"
	"steno/session/addon"
)

// Span is a stretch of one channel, in seconds from the beginning.
type Span = addon.Span

// spanLimit bounds what a job remembers. Beyond it the last span of the channel grows: rather too
// much is silent.
const spanLimit = 100_000

type spans []Span

func (s *spans) add(n Span) {
	if len(*s) < spanLimit {
		*s = append(*s, n)
		return
	}
	for i, o := range slices.Backward(*s) {
		if o.Channel == n.Channel {
			(*s)[i].Start, (*s)[i].End = min(o.Start, n.Start), max(o.End, n.End)
			return
		}
	}
	(*s)[0] = Span{Channel: n.Channel, Start: min((*s)[0].Start, n.Start), End: max((*s)[0].End, n.End)}
}

// Silences lists the times of the words hidden so far, by channel and start, without overlaps. They
// are the recognizer's word times, which are not exact: add a margin to silence a recording.
func (r *Redactor) Silences() []Span {
	list := slices.Clone([]Span(r.spans))
	slices.SortFunc(list, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	merged := list[:0]
	for _, s := range list {
		if n := len(merged) - 1; n >= 0 && merged[n].Channel == s.Channel && s.Start <= merged[n].End {
			merged[n].End = max(merged[n].End, s.End)
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

// Margins of the times of words, in seconds, since those of recognizers are not exact: hiddenMargin
// of what is silent, and heardMargin of an utterance, which is heard with it.
const hiddenMargin, heardMargin = 0.05, 0.2

// Silent lists the stretches of a recording of so many channels in which nothing may be heard, of
// which the finals are redacted: what is hidden in them, and what is in none. So nothing is heard
// that was not transcribed, or not yet.
func Silent(finals []messages.Utterance, channels int) []Span {
	var hidden spans
	ends := make([]float64, channels)
	finals = slices.Clone(finals)
	slices.SortStableFunc(finals, func(a, b messages.Utterance) int { return cmp.Compare(a.Start, b.Start) })
	for _, u := range finals {
		if u.Channel < 0 || u.Channel >= channels {
			continue
		}
		if from := u.Start - heardMargin; from > ends[u.Channel] {
			hidden.add(Span{Channel: u.Channel, Start: ends[u.Channel], End: from})
		}
		ends[u.Channel] = max(ends[u.Channel], u.End+heardMargin)
		for _, w := range u.Words {
			if sign.MatchString(w.Word) {
				hidden.add(Span{Channel: u.Channel, Start: max(w.Start-hiddenMargin, 0), End: w.End + hiddenMargin})
			}
		}
	}
	for channel, end := range ends {
		hidden.add(Span{Channel: channel, Start: end, End: math.MaxFloat64})
	}
	return hidden
}

// sign is what stands in the place of what is hidden.
var sign = regexp.MustCompile(`\[[A-Z][A-Z_]*[A-Z](_[0-9]+)?\]|` + mask)

// Silence writes silence over the spans in a piece of a recording, in place, with the samples at
// both their ends. The piece begins offset bytes after the recording's first sample; it may begin
// and end within a sample. Other channels are left alone.
func Silence(piece []byte, offset int64, list []Span, f audio.Format) {
	quiet, frame := f.SilentByte(), int64(f.FrameBytes())
	width := frame / int64(f.Channels)
	for _, s := range list {
		if s.Channel < 0 || s.Channel >= f.Channels || !(s.End > s.Start) {
			continue
		}
		first := max(atFrame(math.Floor(s.Start*float64(f.SampleRate))), offset/frame)
		end := min(atFrame(math.Floor(s.End*float64(f.SampleRate))+1), (offset+int64(len(piece)))/frame+1)
		for n := first; n < end; n++ {
			at := n*frame + int64(s.Channel)*width - offset
			for i := max(at, 0); i < min(at+width, int64(len(piece))); i++ {
				piece[i] = quiet
			}
		}
	}
}

// atFrame bounds a number of frames to what an int64 of bytes can hold.
func atFrame(n float64) int64 { return int64(max(0, min(n, 1<<48))) }
