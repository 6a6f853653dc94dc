package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"steno/messages"
	"steno/session/addon"
	"steno/session/panics"
)

// collectorEnded is each collector's last act. The last one waits for what follows the finals and, where the session was
// stopped, finishes it.
func (s *Session) collectorEnded() {
	if s.collectors.Add(-1) > 0 {
		return
	}
	s.steps.running.Wait()
	if s.life.Err() == nil {
		s.conclude()
	}
	s.endLife()
	close(s.done)
}

// finish assembles the result from the log, has done what is to be done with the whole of it, emits the closing events in
// their order and keeps the outcome. All of it may be done again after a crash half-way.
func (s *Session) finish(ctx context.Context) error {
	duration := s.seconds(s.received)
	h, err := s.said(ctx)
	if err != nil {
		return err
	}
	result := s.result(h, duration)
	err = s.announce(ctx, messages.EndRecording{Duration: duration}, messages.PostTranscript{Transcription: result.Transcription})
	if err == nil {
		err = s.afterwards(ctx, h.answers, &result)
	}
	if err == nil {
		err = s.announce(ctx, messages.PostFinalTranscript{LiveResult: result})
	}
	if err != nil {
		return err
	}
	return s.keep(ctx, Outcome{Result: result, Seconds: duration})
}

// finishBroken keeps the outcome of a session that finish could not: with the transcript, where there can be one.
func (s *Session) finishBroken(ctx context.Context) error {
	o := Outcome{Seconds: s.seconds(s.received)}
	err := panics.Catch(func() error {
		h, err := s.said(ctx)
		o.Result = s.result(h, o.Seconds)
		return err
	})
	if err != nil && panics.In(err) == nil {
		return err
	}
	return s.keep(ctx, o)
}

// keep keeps the outcome, with the failure the session has met, and says that it has ended.
func (s *Session) keep(ctx context.Context, o Outcome) error {
	s.failMu.Lock()
	if s.failure != nil {
		o.ErrorCode, o.Message = s.failure.Code, s.failure.Message
	}
	s.failMu.Unlock()
	if err := s.cfg.Ledger.Finish(ctx, o); err != nil {
		return fmt.Errorf("keep outcome: %w", err)
	}
	return s.announce(ctx, messages.EndSession{})
}

// announce emits closing events.
func (s *Session) announce(ctx context.Context, list ...messages.Message) error {
	for _, m := range list {
		if err := s.out.emit(ctx, messages.Key{Kind: m.Kind()}, m, noCheckpoint); err != nil {
			return err
		}
	}
	return nil
}

// afterwards has the whole text summed up and cut into chapters, at the same time, and emits what came of it, the summary
// first.
func (s *Session) afterwards(ctx context.Context, a *addon.Answers, r *messages.LiveResult) error {
	us := r.Transcription.Utterances
	var chapters panics.Group
	defer chapters.Wait()
	chapters.Go(func() { r.Chapterization = a.Chapters(ctx, us) })
	r.Summarization = a.Summary(ctx, us)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if w := r.Summarization; w != nil {
		if err := s.announce(ctx, messages.PostSummarization{Results: w.Results, Error: w.Error}); err != nil {
			return err
		}
	}
	chapters.Wait()
	if w := r.Chapterization; w != nil && ctx.Err() == nil {
		return s.announce(ctx, messages.PostChapterization{Results: w.Results, Error: w.Error})
	}
	return ctx.Err()
}

// said is what the log holds of what was said: the finals in order of time, their ids, and what add-ons said of them.
type said struct {
	ids     []string
	finals  []messages.Utterance
	answers *addon.Answers
}

// said reads the log.
func (s *Session) said(ctx context.Context) (said, error) {
	type final struct {
		id string
		messages.Utterance
	}
	var list []final
	h := said{answers: s.cfg.Addons.Answers()}
	err := eachEvent(ctx, s.cfg.Ledger, 0, func(e messages.Event) error {
		if e.Kind != messages.KindFinal {
			return h.answers.Add(e)
		}
		u, err := finalOf(e)
		list = append(list, final{e.Subject, u})
		return err
	})
	if err != nil {
		return h, fmt.Errorf("read finals: %w", err)
	}
	slices.SortStableFunc(list, func(a, b final) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Channel, b.Channel))
	})
	for _, f := range list {
		h.ids, h.finals = append(h.ids, f.id), append(h.finals, f.Utterance)
	}
	return h, nil
}

// finalOf is the utterance of a logged final.
func finalOf(e messages.Event) (messages.Utterance, error) {
	m, err := e.Decode()
	t, _ := m.(messages.Transcript)
	return t.Utterance, err
}

// result is the session's transcript and what the real-time add-ons said of it.
func (s *Session) result(h said, duration float64) messages.LiveResult {
	r := messages.LiveResult{
		Metadata: messages.Metadata{
			AudioDuration:            duration,
			NumberOfDistinctChannels: len(s.lanes),
			BillingTime:              round(duration * float64(len(s.lanes))),
			TranscriptionTime:        round(time.Since(s.began).Seconds()),
		},
		Transcription: messages.Transcription{
			FullTranscript: messages.FullText(h.finals),
			Languages:      languages(h.finals),
			Utterances:     h.finals,
		},
	}
	h.answers.Realtime(&r, h.ids)
	return r
}

// languages lists what was spoken, the most words first.
func languages(list []messages.Utterance) []string {
	words := map[string]int{}
	for _, u := range list {
		words[u.Language] += len(u.Words)
	}
	codes := make([]string, 0, len(words))
	for code := range words {
		codes = append(codes, code)
	}
	slices.SortFunc(codes, func(a, b string) int {
		return cmp.Or(cmp.Compare(words[b], words[a]), cmp.Compare(a, b))
	})
	return codes
}
