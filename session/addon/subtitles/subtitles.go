// Package subtitles writes subtitle files.
package subtitles

import (
	"fmt"

	"steno/messages"
)

// Make is the subtitle file of utterances in a format, srt or vtt.
func Make(us []messages.Utterance, c messages.SubtitlesConfig, format string) (string, error) {
	if format != "srt" && format != "vtt" {
		return "", fmt.Errorf("subtitles: format %q is none of srt, vtt", format)
	}
	return "", nil
}
