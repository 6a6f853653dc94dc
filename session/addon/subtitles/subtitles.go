// Package subtitles writes subtitle files, SubRip (srt) and WebVTT (vtt).
//
// These limits always hold: characters per row, rows per caption, maximum duration, and one caption at a time, none beyond the
// end of the recording. Every word is shown once, those of a speaker on a channel in their order, and no caption has words of
// two speakers.
//
// A caption begins with its first word. What gives way is the minimum duration: it is kept where the next caption, and the
// end of the recording, leave room for it, captions being joined where they fit. Captions that are said within a quarter of a
// second of one another, by speakers who talk at once, come one after another in that distance, as far as there is time until
// the next.
//
// Speech of several speakers at once is shown in turns, ordered by start, each caption cut short where the next one begins. A word wider
// than a row goes on in the next row, without hyphen. Functions are pure and safe for concurrent use.
package subtitles

import (
	"fmt"

	"steno/messages"
)

// Make is the subtitle file of utterances, given in any order, in a format: srt or vtt. The recording lasts so many seconds;
// 0: not known. What the config leaves nil is that of [messages.SubtitlesConfig.WithDefaults], and of [RowLength] in the
// language that most of the text is in. A minimum above the maximum counts as the maximum. A character is a grapheme cluster.
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
