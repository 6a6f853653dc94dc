// Package subtitles writes subtitle files, SubRip (srt) and WebVTT (vtt).
//
// These limits always hold: characters per row, rows per caption, minimum and maximum duration, and one caption at a time.
// Every word is shown once, those of a speaker on a channel in their order, and no caption has words of two speakers.
// What gives way is time: a caption begins with its first word, or as soon as the caption before it has had its minimum.
// So captions lag only while text is denser than rows times characters in a minimum duration, or speakers talk over one
// another faster than captions may change; captions are joined where they fit, and the lag ends in the next silence. The
// last caption may outlast the audio by its minimum and that lag.
//
// Talk over one another is told in turns, ordered by start, each caption cut short where the next one begins. A word wider
// than a row goes on in the next row, without hyphen. Functions are pure and safe for concurrent use.
package subtitles

import (
	"fmt"

	"steno/messages"
)

// Make is the subtitle file of utterances, given in any order, in a format: srt or vtt. The recording lasts so many seconds;
// 0: not known. What the config leaves nil:
// minimum_duration 1 s (style compliance: 5/6 s), maximum_duration 7 s (or a longer minimum), 42 characters per row (16 in
// Chinese and Korean, 13 in Japanese), 2 rows. A minimum above the maximum counts as the maximum. A character is a
// grapheme cluster.
//
// Style compliance also follows what broadcasters and streaming services ask for: two frames between captions, captions
// close to one another brought to that distance, time to read taken from the silence behind as far as the recording goes,
// sentences begin a caption.
//
// An utterance with a text but no words counts as having its words evenly spread. Text is brought to NFC; white space
// becomes single spaces, control characters vanish. The error names a config field out of its range, or the format.
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

// cue is a caption as it is written.
type cue struct {
	start, end int64 // ms
	rows       []string
}

// cues of all runs, in order of time.
func (l limits) cues(runs []run) []cue {
	var cues []cue
	for _, s := range l.schedule(l.divided(runs)) {
		cues = append(cues, cue{s.from, s.to, l.layout(s.tokens, s.language)})
	}
	return cues
}

// divided runs are captions, in order within each run.
func (l limits) divided(runs []run) []caption {
	var all []caption
	for _, r := range runs {
		all = append(all, l.captions(r)...)
	}
	return all
}
