package transcripts

import (
	"net/http"
	"sort"
	"strings"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// UtterancePage is a page of the utterances of a job.
type UtterancePage struct {
	Total int                          `json:"total" doc:"That contain the text, or of all"`
	Items messages.List[FullUtterance] `json:"items" doc:"The utterances"`
}

// FullUtterance is an utterance with what was found in it.
type FullUtterance struct {
	Number       int                            `json:"number" doc:"From 0, in the order of the transcript"`
	Utterance    messages.Utterance             `json:"utterance" doc:"As the result has it"`
	Entities     messages.List[messages.Entity] `json:"entities" doc:"Those within it, by their start"`
	Sentiments   messages.List[PlacedSentiment] `json:"sentiments" doc:"Those that are not neutral"`
	Translations map[string]string              `json:"translations,omitempty" doc:"By language"`
}

// Utterances answers with a page of the utterances of a job of a kind.
func (s *Service) Utterances(kind messages.JobKind) web.Handler {
	return s.handler(kind, func(w http.ResponseWriter, r *http.Request, _ store.Record, of *result) error {
		q, fault := messages.ParseUtterancesQuery(r.URL.Query())
		if fault != nil {
			return fault
		}
		web.WriteJSON(w, http.StatusOK, of.page(q))
		return nil
	})
}

// page returns the utterances that a query asks for.
func (r *result) page(q messages.UtterancesQuery) UtterancePage {
	if q.Text != "" {
		return r.pageOf(r.places(q.Text), q)
	}
	all := make([]int, len(r.utterances))
	for i := range all {
		all[i] = i
	}
	return r.pageOf(all, q)
}

func (r *result) pageOf(numbers []int, q messages.UtterancesQuery) UtterancePage {
	page := UtterancePage{Total: len(numbers)}
	first := min(q.Offset, len(numbers))
	for _, n := range numbers[first:min(first+q.Limit, len(numbers))] {
		u := FullUtterance{
			Number: n, Utterance: r.utterances[n], Entities: r.entitiesOf(n), Sentiments: r.sentimentsOf(n),
			Translations: r.translationsOf(n),
		}
		if !q.Words {
			u.Utterance.Words = nil
		}
		page.Items = append(page.Items, u)
	}
	return page
}

// slack is by how much times of the same word may differ, in seconds.
const slack = 0.011

// entitiesOf returns the entities within an utterance.
func (r *result) entitiesOf(n int) (list []messages.Entity) {
	u := &r.utterances[n]
	from := sort.Search(len(r.entities), func(i int) bool { return r.entities[i].Start >= u.Start-slack })
	for _, e := range r.entities[from:] {
		if e.Start >= u.End {
			break
		}
		if e.End <= u.End+slack && (r.Metadata.NumberOfDistinctChannels < 2 || containsFold(u.Text, e.Text)) {
			list = append(list, e)
		}
	}
	return list
}

// sentimentsOf returns the sentiments within an utterance that are not neutral.
func (r *result) sentimentsOf(n int) (list []PlacedSentiment) {
	u := &r.utterances[n]
	from := sort.Search(len(r.sentiments), func(i int) bool { return r.sentiments[i].Start >= u.Start-slack })
	for _, s := range r.sentiments[from:] {
		if s.Start >= u.End {
			break
		}
		if s.Channel == u.Channel && s.Sentiment != "neutral" && s.Sentiment != "unknown" {
			list = append(list, PlacedSentiment{s.Sentiment, s.Emotion, s.Start, n})
		}
	}
	return list
}

// translationsOf returns an utterance in the languages that it was translated to.
func (r *result) translationsOf(n int) map[string]string {
	by := map[string]string{}
	for _, t := range r.translations() {
		if text, ok := textLike(t.Utterances, &r.utterances[n]); ok && len(t.Languages) > 0 {
			by[t.Languages[0]] = text
		}
	}
	return by
}

// textLike returns the text of the translated utterances that begin within another one and are of
// the same voice. There is one for each, or several where the translation is cut at other places;
// utterances that were not translated are left out of a translation.
func textLike(translated []messages.Utterance, u *messages.Utterance) (string, bool) {
	from := sort.Search(len(translated), func(i int) bool { return translated[i].Start >= u.Start-slack })
	var texts []messages.Utterance
	for _, t := range translated[from:] {
		if t.Start > u.Start+slack && t.Start >= u.End-slack {
			break
		}
		if t.Channel == u.Channel && (t.Speaker == nil || u.Speaker == nil || *t.Speaker == *u.Speaker) {
			texts = append(texts, t)
		}
	}
	return messages.FullText(texts), len(texts) > 0
}

// utteranceAt returns the number of the utterance that was said in some seconds; -1 for none. Of
// several that overlap there it is one that fits, and one that has it all if there is one.
func (r *result) utteranceAt(start, end float64, fits func(*messages.Utterance) bool) int {
	after := sort.Search(len(r.utterances), func(i int) bool { return r.utterances[i].Start > start+slack })
	nearest := after - 1
	for i, found := after-1, false; i >= max(0, after-8); i-- {
		u := &r.utterances[i]
		if !fits(u) {
			continue
		}
		if u.End+slack >= end {
			return i
		}
		if !found {
			nearest, found = i, true
		}
	}
	return nearest
}

func containsFold(text, part string) bool {
	return strings.Contains(messages.FoldAny(text), messages.FoldAny(strings.TrimSpace(part)))
}
