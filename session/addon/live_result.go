package addon

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"steno/messages"
	"steno/session/addon/remote"
	"steno/session/addon/sentences"
)

// Answers are what the add-ons of a session have said, as its log holds it. One goroutine at a time uses them.
type Answers struct {
	live       *Live
	translated map[messages.Key]answer[messages.Utterance] // these three by key
	named      map[messages.Key]answer[[]messages.Entity]
	felt       map[messages.Key]answer[[]messages.Sentiment]
	summary    *messages.AddonResult[*string] // nil: not in the log
	chapters   *messages.AddonResult[messages.List[messages.Chapter]]
}

// answer is what came of one add-on for one utterance.
type answer[T any] struct {
	result T
	failed *messages.AddonError
}

// Answers begins to gather.
func (l *Live) Answers() *Answers {
	return &Answers{
		live: l, translated: map[messages.Key]answer[messages.Utterance]{},
		named: map[messages.Key]answer[[]messages.Entity]{}, felt: map[messages.Key]answer[[]messages.Sentiment]{},
	}
}

// Add takes an event of the log; those of no add-on are passed over.
func (a *Answers) Add(e messages.Event) error {
	m, err := e.Decode()
	if err != nil {
		return err
	}
	switch m := m.(type) {
	case messages.Translation:
		a.translated[e.Key] = answer[messages.Utterance]{m.TranslatedUtterance, m.Error}
	case messages.NamedEntityRecognition:
		a.named[e.Key] = answer[[]messages.Entity]{m.Results, m.Error}
	case messages.SentimentAnalysis:
		a.felt[e.Key] = answer[[]messages.Sentiment]{m.Results, m.Error}
	case messages.PostSummarization:
		text := ""
		if m.Results != nil {
			text = *m.Results
		}
		a.summary = wrap(time.Now(), &text, text == "", m.Error)
		if m.Error != nil {
			a.summary.Results = nil
		}
	case messages.PostChapterization:
		a.chapters = wrap(time.Now(), m.Results, len(m.Results) == 0, m.Error)
	}
	return nil
}

// Realtime puts the wrappers of the real-time add-ons that were asked for into a result with its transcription; ids are
// those of its utterances.
//
// Of an utterance that an add-on failed for there is nothing in that add-on's results, but that its mood is unknown; see [wrap].
func (a *Answers) Realtime(r *messages.LiveResult, ids []string) {
	rt, ways := a.live.request.RealtimeProcessing, a.live.ways
	if rt.Translation {
		list := a.translations(ids)
		r.Translation = gathered(a.live, translation, true, list, untold(list), firstFailure(list))
	}
	if rt.NamedEntityRecognition {
		found, failed := each(a.named, ids, entityKey)
		all := messages.List[messages.Entity](slices.Concat(found...))
		known := ways.Entities != nil || len(ids) > 0
		r.NamedEntityRecognition = gathered(a.live, entity, known, all, len(all) == 0, failed)
	}
	if rt.SentimentAnalysis {
		found, failed := each(a.felt, ids, sentimentKey)
		all := slices.Concat(found...)
		var said []sentences.Sentence
		for _, u := range r.Transcription.Utterances {
			said = append(said, sentences.Split([]messages.Utterance{u})...)
		}
		text, err := moodsText(all, failed, said)
		known := ways.Sentiments != nil || len(ids) > 0
		r.SentimentAnalysis = gathered(a.live, sentiments, known, text, len(all) == 0, cmp.Or(failed, remote.Addon(err)))
	}
}

// translations are the text in each target language: of one that is not whole what there is, and the first failure.
func (a *Answers) translations(ids []string) (list messages.List[messages.TranslationResult]) {
	for _, target := range a.live.targets {
		said, failed := each(a.translated, ids, func(id string) messages.Key { return translationKey(id, target) })
		if a.live.ways.Translate == nil && len(ids) == 0 {
			failed = Unavailable(translation)
		}
		list = append(list, messages.TranslationResult{
			Error: failed, FullTranscript: messages.FullText(said), Languages: []string{target}, Utterances: said,
		})
	}
	return list
}

// each lists what came of an add-on for the utterances, in their order, and the first failure.
func each[T any](answers map[messages.Key]answer[T], ids []string, key func(id string) messages.Key) (list []T, first *messages.AddonError) {
	for _, id := range ids {
		got, ok := answers[key(id)]
		if !ok {
			got.failed = remote.Addon(errors.New("no answer"))
		}
		switch {
		case got.failed == nil:
			list = append(list, got.result)
		case first == nil:
			first = got.failed
		}
	}
	return list, first
}

// gathered is the wrapper of a real-time add-on over a whole session. known says that there is a way to do it, or that
// utterances tell that there is none.
func gathered[T any](l *Live, name string, known bool, results T, empty bool, failed *messages.AddonError) *messages.AddonResult[T] {
	if !known {
		failed = Unavailable(name)
	}
	out := wrap(time.Now(), results, empty, failed)
	out.ExecTime = thousandth(time.Duration(l.spent[name].Load()).Seconds())
	return out
}

// Summary is the wrapper of the summary: as the log has it, else made now of all utterances. nil: not asked for.
func (a *Answers) Summary(ctx context.Context, us []messages.Utterance) *messages.AddonResult[*string] {
	post := a.live.request.PostProcessing
	switch {
	case !post.Summarization:
		return nil
	case a.summary != nil:
		return a.summary
	case len(us) == 0 && a.live.ways.Summarize != nil:
		return wrap(time.Now(), new(string), true, nil)
	}
	return summarized(remote.Urgent(ctx, remote.Soon), a.live.ways, us, post.SummarizationConfig.Type)
}

// Chapters is the wrapper of the chapters, likewise. Those of which the log has not all, its message having been too long,
// are made again; if that fails they are as in the log.
func (a *Answers) Chapters(ctx context.Context, us []messages.Utterance) *messages.AddonResult[messages.List[messages.Chapter]] {
	switch {
	case !a.live.request.PostProcessing.Chapterization:
		return nil
	case a.chapters != nil && (a.chapters.Error != nil || len(us) == 0 || complete(a.chapters.Results)):
		return a.chapters
	}
	made := chaptered(remote.Urgent(ctx, remote.Soon), a.live.ways, us)
	if made.Error != nil && a.chapters != nil {
		return a.chapters
	}
	return made
}

// complete tells whether chapters have all their words.
func complete(list []messages.Chapter) bool {
	wordless := func(s messages.ChapterSentence) bool { return len(s.Words) == 0 }
	return len(list) > 0 && !slices.ContainsFunc(list, func(c messages.Chapter) bool {
		return len(c.Sentences) == 0 || slices.ContainsFunc(c.Sentences, wordless)
	})
}
