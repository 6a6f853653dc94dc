package files

import (
	"strings"

	"steno/gateway/dialect"
	"steno/messages"
)

// paragraphs is a text divided for reading.
type paragraphs struct {
	Transcript string                   `json:"transcript"`
	Paragraphs messages.List[paragraph] `json:"paragraphs"`
}

type paragraph struct {
	Sentences messages.List[sentence] `json:"sentences"`
	NumWords  int                     `json:"num_words"`
	Start     float64                 `json:"start"`
	End       float64                 `json:"end"`
	Speaker   *int                    `json:"speaker,omitempty"`
}

type sentence struct {
	Text  string  `json:"text"`
	Start float64 `json:"start"`
	End   float64 `json:"end"`
}

// paragraphsOf returns utterances in paragraphs, whose text has an empty line between two.
func paragraphsOf(us []messages.Utterance) *paragraphs {
	all := &paragraphs{}
	for _, sentences := range dialect.Paragraphs(us) {
		p := paragraph{Start: sentences[0].Start, Speaker: sentences[0].Speaker}
		var texts []string
		for _, s := range sentences {
			text := strings.TrimSpace(s.Text)
			texts = append(texts, text)
			p.Sentences = append(p.Sentences, sentence{text, s.Start, s.End})
			p.End, p.NumWords = s.End, p.NumWords+len(s.Words)
		}
		all.Paragraphs = append(all.Paragraphs, p)
		all.Transcript += "\n" + strings.Join(texts, " ") + "\n"
	}
	return all
}
