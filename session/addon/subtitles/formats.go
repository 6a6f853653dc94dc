package subtitles

import (
	"fmt"
	"strings"
)

// srt returns a SubRip file. The format has no escapes: "-->" within a text, which would read as
// the mark between two times, becomes an arrow.
func srt(cues []cue) string {
	var b strings.Builder
	for i, c := range cues {
		if i > 0 {
			b.WriteByte('\n')
		}
		text := strings.ReplaceAll(strings.Join(c.rows, "\n"), "-->", "→")
		fmt.Fprintf(&b, "%d\n%s --> %s\n%s\n", i+1, clock(c.start, ","), clock(c.end, ","), text)
	}
	return b.String()
}

// vtt returns a WebVTT file.
func vtt(cues []cue) string {
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	var b strings.Builder
	b.WriteString("WEBVTT\n")
	for _, c := range cues {
		fmt.Fprintf(&b, "\n%s --> %s\n%s\n", clock(c.start, "."), clock(c.end, "."),
			escape.Replace(strings.Join(c.rows, "\n")))
	}
	return b.String()
}

// clock returns a time as hours, minutes, seconds and, after point, milliseconds.
func clock(ms int64, point string) string {
	return fmt.Sprintf("%02d:%02d:%02d%s%03d", ms/3600000, ms/60000%60, ms/1000%60, point, ms%1000)
}
