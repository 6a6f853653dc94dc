// Package subtitles writes subtitle files, SubRip (srt) and WebVTT (vtt).
//
// These limits always hold: characters per row, rows per caption, maximum duration, and one caption
// of a speaker at a time, none beyond the end of the recording. Every word is shown once, those of
// a speaker on a channel in their order, and no caption has words of two speakers.
//
// A caption begins with its first word. The minimum duration is kept only where the speaker's next
// caption and the end of the recording leave time for it; short captions are joined where they fit.
//
// Captions of different speakers may be shown at the same time, where they speak at the same time
// or a caption would otherwise be too short; the captions of a file are in order of their
// beginnings. A word wider than a row continues in the next row, without a hyphen. Functions are
// pure and safe for concurrent use.
package subtitles

import (
	"fmt"

	"steno/messages"
)

// Make returns the subtitle file of utterances, given in any order, in a format: srt or vtt. The
// recording lasts so many seconds; 0: not known. Fields that are nil in the config have the
// defaults of [messages.SubtitlesConfig.WithDefaults], and of [RowLength]. A minimum above the
// maximum counts as the maximum. A character is a grapheme cluster.
//
// Style compliance also follows the rules of broadcasters and streaming services: there are two
// frames between captions, a short blank between captions is reduced to them, a caption stays
// during the silence after it until it can have been read, and a sentence begins a new caption.
//
// The words of an utterance that has a text alone are spread evenly over its time. Text is
// converted to NFC, white space to single spaces, and control characters are removed. The error
// names a field of the config that is out of range, or the format.
func Make(us []messages.Utterance, c messages.SubtitlesConfig, format string, seconds float64) (string, error) {
	write, ok := map[string]func([]cue) string{"srt": srt, "vtt": vtt}[format]
	if !ok {
		return "", fmt.Errorf("subtitles: format %q is neither srt nor vtt", format)
	}
	l, err := limitsOf(c, language(us))
	if err != nil {
		return "", fmt.Errorf("subtitles: %w", err)
	}
	if seconds > 0 {
		l.end = int64(seconds * 1000)
	}
	return write(l.cues(runs(us, l.chars))), nil
}

// cue is a caption as a file has it.
type cue struct {
	start, end int64 // ms
	rows       []string
}

// cues returns the cues of all runs, in order of time.
func (l limits) cues(runs []run) []cue {
	var cues []cue
	for _, s := range l.schedule(l.divided(runs)) {
		cues = append(cues, cue{s.from, s.to, l.layout(s.tokens, s.language)})
	}
	return cues
}

// divided returns the captions of the runs, in order within each run.
func (l limits) divided(runs []run) []caption {
	var all []caption
	for _, r := range runs {
		all = append(all, l.captions(r)...)
	}
	return all
}
