package transcripts

import (
	"net/http"
	"unicode/utf8"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// maxListed bounds the entities and the sentiments of an outline.
const maxListed = 5000

// Outline is a job with what was found in it, but for its words.
type Outline struct {
	Job       JobFacts              `json:"job" doc:"The job, without its result"`
	Title     string                `json:"title" doc:"Title of the custom metadata, or the file's name; may be empty"`
	Progress  *float64              `json:"progress" doc:"Part of the recording that was transcribed, from 0 to 1; null where it is not known"`
	Languages messages.List[string] `json:"languages" doc:"Codes, from most to least heard"`
	Times     Times                 `json:"utterances" doc:"When and by whom everything was said"`

	Summary         *string                        `json:"summary" doc:"Of the whole; null where there is none"`
	Chapters        messages.List[ChapterOutline]  `json:"chapters" doc:"In order"`
	Entities        messages.List[PlacedEntity]    `json:"entities" doc:"By their start, at most 5000"`
	Sentiments      messages.List[PlacedSentiment] `json:"sentiments" doc:"Those that are not neutral, by their start, at most 5000"`
	SentimentCounts map[string]int                 `json:"sentiment_counts" doc:"Sentences by their sentiment"`
	Translated      messages.List[string]          `json:"translations" doc:"Codes of the languages that there are translations to"`
	Answers         messages.List[PromptAnswer]    `json:"answers" doc:"What a language model said to the prompts"`
	Data            *string                        `json:"structured_data" doc:"As JSON; null where there is none"`
	Failures        messages.List[AddonFailure]    `json:"failures" doc:"What gave less than was asked for"`
}

// JobFacts is a job whose result is null.
type JobFacts struct{ messages.Job }

// Times are columns: the nth value of each is that of the nth utterance.
type Times struct {
	Start      messages.List[float64] `json:"start" doc:"Seconds"`
	End        messages.List[float64] `json:"end" doc:"Seconds"`
	Channel    messages.List[int]     `json:"channel" doc:"Counted from 0"`
	Speaker    messages.List[int]     `json:"speaker" doc:"-1: not known"`
	Characters messages.List[int]     `json:"characters" doc:"Of the text"`
}

// ChapterOutline is a chapter without its sentences.
type ChapterOutline struct {
	Headline string  `json:"headline" doc:"Of the chapter"`
	Gist     string  `json:"gist" doc:"In a few words"`
	Summary  string  `json:"summary" doc:"Of the chapter; may be empty"`
	Start    float64 `json:"start" doc:"Seconds"`
	End      float64 `json:"end" doc:"Seconds"`
}

// PlacedEntity is an entity with the utterance that it is in.
type PlacedEntity struct {
	messages.Entity
	Utterance int `json:"utterance" doc:"Its number from 0; -1: not known"`
}

// PlacedSentiment is the sentiment of a sentence that is not neutral, with the utterance that it is
// in.
type PlacedSentiment struct {
	Sentiment string  `json:"sentiment" doc:"As the result names it"`
	Emotion   string  `json:"emotion" doc:"Emotion"`
	Start     float64 `json:"start" doc:"Seconds"`
	Utterance int     `json:"utterance" doc:"Its number from 0; -1: not known"`
}

// PromptAnswer is what a language model said to a prompt.
type PromptAnswer struct {
	Prompt   string  `json:"prompt" doc:"What was asked"`
	Response *string `json:"response" doc:"Nil: it failed"`
}

// Outline answers with the outline of a job of a kind.
func (s *Service) Outline(kind messages.JobKind) web.Handler {
	return s.handler(kind, func(w http.ResponseWriter, r *http.Request, record store.Record, of *result) error {
		job, err := s.Records.Job(r.Context(), record)
		if err != nil {
			return err
		}
		job.Result = nil
		o := of.outline()
		o.Job, o.Title, o.Progress = JobFacts{job}, titleOf(&job), s.progressOf(&job)
		web.WriteJSON(w, http.StatusOK, o)
		return nil
	})
}

// titleOf returns what a job is called; empty where it has no name.
func titleOf(j *messages.Job) string {
	if title, ok := j.CustomMetadata["title"].(string); ok && title != "" {
		return title
	}
	if j.File != nil && j.File.Filename != nil {
		return *j.File.Filename
	}
	return ""
}

// outline returns the outline of the result.
func (r *result) outline() *Outline {
	o := &Outline{Languages: r.languages(), Times: r.times(), Failures: r.failures(), SentimentCounts: map[string]int{}}
	if s := r.Summarization; s != nil {
		o.Summary = s.Results
	}
	if d := r.StructuredDataExtraction; d != nil {
		o.Data = d.Results
	}
	if c := r.Chapterization; c != nil {
		for _, c := range c.Results {
			o.Chapters = append(o.Chapters, ChapterOutline{c.Headline, c.Gist, c.Summary, c.Start, c.End})
		}
	}
	for _, t := range r.translations() {
		o.Translated = append(o.Translated, t.Languages...)
	}
	for _, e := range r.entities[:min(len(r.entities), maxListed)] {
		n := r.utteranceAt(e.Start, e.End, func(u *messages.Utterance) bool { return containsFold(u.Text, e.Text) })
		o.Entities = append(o.Entities, PlacedEntity{e, n})
	}
	o.addSentiments(r)
	o.addAnswers(r)
	return o
}

func (o *Outline) addSentiments(r *result) {
	for _, s := range r.sentiments {
		o.SentimentCounts[s.Sentiment]++
		if s.Sentiment != "neutral" && s.Sentiment != "unknown" && len(o.Sentiments) < maxListed {
			n := r.utteranceAt(s.Start, s.End, func(u *messages.Utterance) bool { return u.Channel == s.Channel })
			o.Sentiments = append(o.Sentiments, PlacedSentiment{s.Sentiment, s.Emotion, s.Start, n})
		}
	}
}

func (o *Outline) addAnswers(r *result) {
	if r.AudioToLLM == nil {
		return
	}
	for _, a := range r.AudioToLLM.Results {
		if a.Results != nil && a.Results.Prompt != nil {
			o.Answers = append(o.Answers, PromptAnswer{*a.Results.Prompt, a.Results.Response})
		}
	}
}

// times are the columns of the utterances.
func (r *result) times() (t Times) {
	for i := range r.utterances {
		u := &r.utterances[i]
		speaker := -1
		if u.Speaker != nil {
			speaker = *u.Speaker
		}
		t.Start, t.End = append(t.Start, u.Start), append(t.End, u.End)
		t.Channel, t.Speaker = append(t.Channel, u.Channel), append(t.Speaker, speaker)
		t.Characters = append(t.Characters, utf8.RuneCountInString(u.Text))
	}
	return t
}
