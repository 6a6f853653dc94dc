package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"steno/messages"
	"steno/session/addon"
	"steno/session/panics"
	"steno/session/retry"
)

// finisher assembles the result of a stopped session, emits the closing events and keeps the
// outcome. It runs once, on the goroutine of the last collector.
type finisher struct {
	*run
	channels int
	duration float64 // seconds of audio received
	began    time.Time
}

// conclude finishes the session. After a panic it keeps the result so far, as the outcome of a
// failed session.
func (f *finisher) conclude() {
	err := panics.Catch(f.finish)
	if panics.In(err) != nil {
		f.failures.add(f.failure(err), false)
		err = panics.Catch(f.finishBroken)
	}
	f.failOn(err)
}

// finish assembles the result from the log, runs the post-processing, emits the closing events in
// their order and keeps the outcome. After a crash half-way all of it runs again.
func (f *finisher) finish() error {
	c, err := f.awaitLog()
	if err != nil {
		return err
	}
	if c.marks.refused > 0 && len(c.finals) == 0 {
		f.failures.add(&Failure{
			Reason: messages.EngineUnavailable, Message: "no engine has transcribed any of the recording",
			Err: errors.New(c.marks.texts[0]),
		}, false)
	}
	result := f.result(c)
	err = f.announce(messages.EndRecording{Duration: f.duration},
		messages.PostTranscript{Transcription: result.Transcription})
	if err == nil {
		err = c.addons.Finish(f.life, &result, func(m messages.Message) error { return f.announce(m) })
	}
	if err == nil {
		err = f.announce(messages.PostFinalTranscript{LiveResult: result})
	}
	if err != nil {
		return err
	}
	return f.keep(Outcome{Result: result, Seconds: f.duration})
}

// finishBroken keeps the outcome of a session after finish has panicked, with the transcript if
// that can be read.
func (f *finisher) finishBroken() error {
	o := Outcome{Seconds: f.duration}
	err := panics.Catch(func() error {
		c, err := f.awaitLog()
		o.Result = f.result(c)
		return err
	})
	if err != nil && panics.In(err) == nil {
		return err
	}
	return f.keep(o)
}

// keep keeps the outcome, with the failure the session has met, and emits end_session.
func (f *finisher) keep(o Outcome) error {
	if err := f.out.settle(f.life); err != nil { // the sinks have all events before the outcome
		return err
	}
	o.Failure, _ = f.failures.get()
	if err := f.cfg.Ledger.Finish(f.life, o); err != nil {
		return fmt.Errorf("keep outcome: %w", err)
	}
	if err := f.announce(messages.EndSession{}); err != nil {
		return err
	}
	return f.out.settle(f.life)
}

// announce emits closing events.
func (f *finisher) announce(list ...messages.Message) error {
	for _, m := range list {
		if err := f.out.log(f.life, m); err != nil {
			return err
		}
	}
	return nil
}

// logContent is the content of the event log for the result: the finals in order of time, their
// ids, the messages of the add-ons, and the losses.
type logContent struct {
	ids    []string
	finals []messages.Utterance
	addons *addon.LiveResults
	losses []messages.Warning
	marks  marks // utterances without words
}

// addWarning adds the warning that an event reports. ok is false if it reports none.
func (c *logContent) addWarning(e messages.Event) (ok bool, err error) {
	w, ok, err := lossOf(e)
	if ok {
		c.losses = append(c.losses, w)
		return true, err
	}
	return c.marks.add(e)
}

// warnings are those of the result.
func (c *logContent) warnings() []messages.Warning {
	return append(c.losses, c.marks.warnings()...)
}

// awaitLog reads the log once everything emitted is durable. While the ledger is out of reach it
// tries again.
func (f *finisher) awaitLog() (c logContent, err error) {
	if err := f.out.settle(f.life); err != nil {
		return c, err
	}
	pause := retry.Backoff{First: 100 * time.Millisecond, Longest: 5 * time.Second}
	for {
		c, err = f.readLog()
		if err == nil || f.cfg.Away == nil || !f.cfg.Away(err) {
			return c, err
		}
		if err := retry.Sleep(f.life, pause.Next()); err != nil {
			return c, err
		}
	}
}

// readLog reads the log. Its finals may stem from several processes.
func (f *finisher) readLog() (logContent, error) {
	var list []messages.Transcript
	c := logContent{addons: f.cfg.Addons.Results()}
	err := eachEvent(f.life, f.cfg.Ledger, 0, func(e messages.Event) error {
		if ok, err := c.addWarning(e); ok {
			return err
		}
		m, err := e.Decode()
		if err != nil {
			return err
		}
		if t, ok := m.(messages.Transcript); ok {
			list = append(list, t)
			return nil
		}
		c.addons.Add(e.Key, m)
		return nil
	})
	if err != nil {
		return c, fmt.Errorf("read finals: %w", err)
	}
	slices.SortStableFunc(list, func(a, b messages.Transcript) int {
		return cmp.Or(cmp.Compare(a.Utterance.Start, b.Utterance.Start), cmp.Compare(a.Utterance.Channel,
			b.Utterance.Channel))
	})
	for _, t := range list {
		c.ids, c.finals = append(c.ids, t.ID), append(c.finals, t.Utterance)
	}
	return c, nil
}

// result is the session's transcript and the results of the real-time add-ons.
func (f *finisher) result(c logContent) messages.LiveResult {
	r := messages.LiveResult{
		Metadata: messages.Metadata{
			AudioDuration:            f.duration,
			NumberOfDistinctChannels: f.channels,
			BillingTime:              round(f.duration * float64(f.channels)),
			TranscriptionTime:        round(time.Since(f.began).Seconds()),
		},
		Transcription: messages.Transcription{
			FullTranscript: messages.FullText(c.finals),
			Languages:      languages(c.finals),
			Utterances:     c.finals,
		},
		Warnings: c.warnings(),
	}
	if withoutConfidence(c.finals) {
		r.Warnings = append(r.Warnings, messages.Warning{
			Field: "transcription.utterances",
			Message: "the engine tells no probabilities of its words: a confidence of 1 stands for one that is not " +
				"known",
		})
	}
	c.addons.Put(&r, c.ids)
	return r
}

// withoutConfidence reports whether utterances have words of which no confidence is known, with one
// word at least that is no chance.
func withoutConfidence(list []messages.Utterance) bool {
	known, unknown := 0, 0
	for _, u := range list {
		if u.Confidence == messages.UnknownConfidence && !slices.ContainsFunc(u.Words,
			func(w messages.Word) bool { return w.Confidence != messages.UnknownConfidence }) {
			unknown += len(u.Words)
		} else {
			known += len(u.Words)
		}
	}
	return unknown > 2 || unknown > 0 && known == 0
}

// languages lists the languages of the utterances, that with the most words first.
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

// EndUnopened ends a session that was never opened as a failure, for the reason why. It logs
// start_session, the error and end_session, delivers them to the configuration's sinks, and has the
// ledger keep the outcome before end_session. Of the configuration it uses ID, Ledger and Sinks. It
// may be called again after an error, or after the process died before the outcome was kept:
// nothing is logged twice.
func EndUnopened(ctx context.Context, c Config, why messages.AddonError) (err error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	out := newEmitter(&c)
	out.listen()
	var delivery sync.WaitGroup
	delivery.Go(func() {
		out.run(ctx, func(err error) {
			if err != nil {
				end(err)
			}
		})
	})
	c.Ledger.Notify(out.notify)
	defer func() {
		c.Ledger.Notify(nil)
		end(nil)
		delivery.Wait()
		out.end()
	}()
	failure := messages.Failure{AddonError: why}
	err = cmp.Or(out.log(ctx, messages.StartSession{}), out.log(ctx, failure), out.settle(ctx))
	if err != nil {
		return err
	}
	if err := c.Ledger.Finish(ctx, Outcome{Failure: &Failure{Message: why.Message}}); err != nil {
		return fmt.Errorf("keep outcome: %w", err)
	}
	return cmp.Or(out.log(ctx, messages.EndSession{ErrorCode: why.StatusCode}), out.settle(ctx))
}

// log emits a message of a kind that a session has once.
func (e *emitter) log(ctx context.Context, m messages.Message) error {
	_, err := e.emit(ctx, messages.KeyOf(m), m, noCheckpoint)
	return err
}
