package transcripts

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/addon/subtitles"
	"steno/session/store"
)

// mediaTypes are those of the formats.
var mediaTypes = map[string]string{
	messages.FormatText: "text/plain; charset=utf-8", messages.FormatSRT: "application/x-subrip; charset=utf-8",
	messages.FormatVTT: "text/vtt; charset=utf-8",
}

// File answers with the transcript of a job of a kind as a file.
func (s *Service) File(kind messages.JobKind) web.Handler {
	return s.handler(kind, func(w http.ResponseWriter, r *http.Request, record store.Record, of *result) error {
		q, fault := messages.ParseTranscriptQuery(r.URL.Query())
		if fault != nil {
			return fault
		}
		if !record.Finished() {
			return web.Problem(http.StatusNotFound, "there is no transcript of this job yet")
		}
		text, err := of.file(q)
		if err != nil {
			return err
		}
		h := w.Header()
		h.Set("Content-Type", mediaTypes[q.Format])
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": record.ID + "." +
			q.Format}))
		_, _ = io.WriteString(w, text) // fails only where the client has left
		return nil
	})
}

// file returns the transcript in the form that a query asks for. Subtitles are those that the job
// made, where it did.
func (r *result) file(q messages.TranscriptQuery) (string, error) {
	if r.Transcription == nil {
		return "", web.Problem(http.StatusNotFound, "there is no transcript of this job, which failed")
	}
	us, made := r.utterances, r.Transcription.Subtitles
	if q.Language != "" {
		t := r.translation(q.Language)
		if t == nil {
			return "", web.Problem(http.StatusNotFound, "there is no translation to that language")
		}
		us, made = t.Utterances, t.Subtitles
	}
	if q.Format == messages.FormatText {
		return plainText(us), nil
	}
	for _, s := range made {
		if s.Format == q.Format {
			return s.Subtitles, nil
		}
	}
	text, err := subtitles.Make(us, messages.SubtitlesConfig{Style: "default"}, q.Format, r.Metadata.AudioDuration)
	if err != nil {
		return "", fmt.Errorf("make subtitles: %w", err)
	}
	return text, nil
}

// plainText is what was said, in paragraphs: each is what one voice said in a row, below its name
// and the time.
func plainText(us []messages.Utterance) string {
	var text strings.Builder
	var last string
	for i := range us {
		u := &us[i]
		said := strings.TrimSpace(u.Text)
		if said == "" {
			continue
		}
		if name := voiceOf(u); name != last || i == 0 {
			if text.Len() > 0 {
				text.WriteString("\n\n")
			}
			fmt.Fprintf(&text, "%s, %s\n", name, clock(u.Start))
			last = name
		} else {
			text.WriteString(messages.Gap(text.String(), said))
		}
		text.WriteString(said)
	}
	if text.Len() > 0 {
		text.WriteString("\n")
	}
	return text.String()
}

// voiceOf names who speaks, as people count.
func voiceOf(u *messages.Utterance) string {
	if u.Speaker != nil {
		return fmt.Sprintf("Speaker %d", *u.Speaker+1)
	}
	return fmt.Sprintf("Channel %d", u.Channel+1)
}

// clock writes seconds as h:mm:ss or m:ss.
func clock(seconds float64) string {
	s := int(seconds)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
