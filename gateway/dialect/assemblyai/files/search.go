package files

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"steno/gateway/dialect"
	"steno/gateway/dialect/assemblyai"
	"steno/gateway/web"
	"steno/messages"
)

// Bounds of a search.
const (
	maxSought  = 100 // words and phrases
	maxPhrase  = 5   // words of one
	maxMatches = 1000
)

// match is where a word or phrase is.
type match struct {
	Text    string                `json:"text"`
	Count   int                   `json:"count"`
	Times   messages.List[[2]int] `json:"timestamps"` // milliseconds: where each starts and ends
	Indexes messages.List[int]    `json:"indexes"`    // of the first word of each, among all words
}

// found is the answer to a search.
type found struct {
	ID      string               `json:"id"`
	Total   int                  `json:"total_count"`
	Matches messages.List[match] `json:"matches"`
}

// search answers where words and phrases are in a transcript, whatever their case and marks.
func (s service) search(w http.ResponseWriter, r *http.Request) error {
	record, _, err := s.finished(r)
	if err != nil {
		return err
	}
	sought, err := soughtBy(r)
	if err != nil {
		return err
	}
	var words []string
	var spoken []messages.Word
	for i := range record.Result.Transcription.Utterances {
		for _, word := range record.Result.Transcription.Utterances[i].TimedWords() {
			words, spoken = append(words, dialect.Bare(word.Word)), append(spoken, word)
		}
	}
	answer := found{ID: record.ID}
	for _, phrase := range sought {
		if m := find(phrase, words, spoken); m.Count > 0 {
			answer.Total += m.Count
			answer.Matches = append(answer.Matches, m)
		}
	}
	web.WriteJSON(w, http.StatusOK, answer)
	return nil
}

// soughtBy returns the words and phrases that a request names, separated by commas.
func soughtBy(r *http.Request) (all []string, err error) {
	for _, text := range r.URL.Query()["words"] {
		for phrase := range strings.SplitSeq(text, ",") {
			phrase = dialect.Bare(phrase)
			if phrase == "" || slices.Contains(all, phrase) {
				continue
			}
			if all = append(all, phrase); len(strings.Fields(phrase)) > maxPhrase || len(all) > maxSought {
				return nil, bad(fmt.Sprintf("words must have at most %d words or phrases, each of at most %d words",
					maxSought, maxPhrase))
			}
		}
	}
	if len(all) == 0 {
		return nil, bad("words must be given")
	}
	return all, nil
}

// find returns where a phrase is among the words that were spoken, whose bare texts are given, too.
func find(phrase string, words []string, spoken []messages.Word) match {
	m := match{Text: phrase, Times: messages.List[[2]int]{}, Indexes: messages.List[int]{}}
	parts := strings.Fields(phrase)
	for i := 0; i+len(parts) <= len(words); i++ {
		if !slices.Equal(words[i:i+len(parts)], parts) {
			continue
		}
		if m.Count++; m.Count <= maxMatches {
			m.Indexes = append(m.Indexes, i)
			m.Times = append(m.Times, [2]int{assemblyai.Milliseconds(spoken[i].Start),
				assemblyai.Milliseconds(spoken[i+len(parts)-1].End)})
		}
	}
	return m
}
