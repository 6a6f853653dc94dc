package session

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"steno/messages"
)

// collectorEnded is each collector's last act. The last one of a stopped session finishes it.
func (s *Session) collectorEnded() {
	if s.collectors.Add(-1) > 0 {
		return
	}
	if s.life.Err() == nil {
		if err := s.finish(s.life); err != nil {
			s.failOn(err)
		}
	}
	s.endLife()
	close(s.done)
}

// finish assembles the result from the logged finals, emits the closing events and keeps the outcome. All of it may
// be done again after a crash half-way.
func (s *Session) finish(ctx context.Context) error {
	duration := s.seconds(s.received)
	finals, err := s.finals(ctx)
	if err != nil {
		return err
	}
	result := s.result(finals, duration)
	for _, e := range s.closing(result, duration) {
		if err := s.out.emit(ctx, e.Kind().String(), e, noCheckpoint); err != nil {
			return err
		}
	}
	o := Outcome{Result: result, Seconds: duration}
	s.failMu.Lock()
	if s.failure != nil {
		o.ErrorCode = s.failure.Code
	}
	s.failMu.Unlock()
	if err := s.cfg.Ledger.Finish(ctx, o); err != nil {
		return fmt.Errorf("keep outcome: %w", err)
	}
	return s.out.emit(ctx, "end_session", messages.EndSession{}, noCheckpoint)
}

// closing lists what is sent between the last final and end_session, in order.
func (s *Session) closing(r messages.LiveResult, duration float64) []messages.Message {
	list := []messages.Message{
		messages.EndRecording{Duration: duration},
		messages.PostTranscript{Transcription: r.Transcription},
	}
	if r.Summarization != nil {
		list = append(list, messages.PostSummarization{Error: r.Summarization.Error})
	}
	if r.Chapterization != nil {
		list = append(list, messages.PostChapterization{Error: r.Chapterization.Error})
	}
	return append(list, messages.PostFinalTranscript{LiveResult: r})
}

// finals reads the utterances back from the log, in order of time.
func (s *Session) finals(ctx context.Context) ([]messages.Utterance, error) {
	var list []messages.Utterance
	err := eachEvent(ctx, s.cfg.Ledger, 0, func(e messages.Logged) error {
		if e.Kind != messages.KindFinal {
			return nil
		}
		u, err := finalOf(e)
		list = append(list, u)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read finals: %w", err)
	}
	slices.SortStableFunc(list, func(a, b messages.Utterance) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Channel, b.Channel))
	})
	return list, nil
}

// finalOf reads a logged final.
func finalOf(e messages.Logged) (messages.Utterance, error) {
	var m struct {
		Data struct{ Utterance messages.Utterance }
	}
	if err := json.Unmarshal(e.Body, &m); err != nil {
		return m.Data.Utterance, fmt.Errorf("event %d: %w", e.Seq, err)
	}
	return m.Data.Utterance, nil
}

// result is the session's transcript and what was asked of it besides.
func (s *Session) result(finals []messages.Utterance, duration float64) messages.LiveResult {
	r := messages.LiveResult{
		Metadata: messages.Metadata{
			AudioDuration:            duration,
			NumberOfDistinctChannels: len(s.lanes),
			BillingTime:              round(duration * float64(len(s.lanes))),
			TranscriptionTime:        round(time.Since(s.began).Seconds()),
		},
		Transcription: messages.Transcription{
			FullTranscript: messages.FullText(finals),
			Languages:      languages(finals),
			Utterances:     finals,
		},
	}
	s.addWrappers(&r)
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
