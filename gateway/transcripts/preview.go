package transcripts

import (
	"context"
	"strings"

	"steno/messages"
	"steno/session/store"
)

// firstChars is how much of the first words a preview has.
const firstChars = 200

// preview is what a list shows of a result.
type preview struct {
	first     string // words
	languages []string
	speakers  int
}

// previewOf returns the preview of a finished record.
func (s *Service) previewOf(ctx context.Context, record store.Record) (*preview, error) {
	if !record.Finished() {
		return new(preview), nil
	}
	var p *preview
	err := s.previews.Use(ctx, record.ID, func(kept **preview) (int64, error) {
		if *kept == nil {
			of, err := s.resultOf(ctx, record)
			if err != nil {
				return 0, err
			}
			*kept = &preview{first: of.firstWords(), languages: of.languages(), speakers: of.speakers()}
		}
		p = *kept
		return int64(len(p.first)) + 200, nil
	})
	return p, err
}

// firstWords is the beginning of what was said.
func (r *result) firstWords() string {
	var text strings.Builder
	for i := range r.utterances {
		if said := strings.TrimSpace(r.utterances[i].Text); said != "" {
			text.WriteString(messages.Gap(text.String(), said) + said)
		}
		if text.Len() > 4*firstChars {
			break
		}
	}
	return excerpt(strings.TrimSpace(text.String()), 0, firstChars)
}

// excerpt returns about so many characters of a text from a position on, in bytes, cut at spaces.
func excerpt(text string, from, chars int) string {
	begin, more := text[from:], false
	runes := []rune(begin[:min(len(begin), 4*chars)])
	if len(runes) > chars {
		runes, more = runes[:chars], true
	} else if len(begin) > 4*chars {
		more = true
	}
	cut := string(runes)
	if at := strings.LastIndexByte(cut, ' '); more && at > len(cut)/2 {
		cut = cut[:at]
	}
	if more {
		cut += "…"
	}
	return cut
}

// around returns the part of a text in a language around the first place of another one.
func around(text, part, language string) string {
	const before = 40
	text = strings.TrimSpace(text)
	at := indexFolded(text, folded(part, language), language)
	if at <= before {
		return excerpt(text, 0, firstChars)
	}
	from := strings.LastIndexByte(text[:at-before+1], ' ') + 1
	if from == 0 {
		from = at
	}
	return "…" + excerpt(text, from, firstChars)
}
