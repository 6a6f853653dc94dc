package addon

import (
	"context"

	"steno/messages"
	"steno/session/panics"
)

// Job is a recorded job as its add-ons see it.
type Job struct {
	*Runner
	Request *messages.PreRecordedRequest
	// Seconds is the length of the recording.
	Seconds float64
	// Utterances are the transcript, with what editors have changed so far.
	Utterances []messages.Utterance
	// Redaction is what was redacted of the transcript; nil: nothing was to be.
	Redaction *Redaction
	// Warnings are what editors have left out, for the job's result.
	Warnings []messages.Warning
}

// Redaction is what was redacted of a job's transcript.
type Redaction struct {
	// Entities are the redacted entities of each utterance, by its index: their texts are what
	// stands in their place.
	Entities [][]messages.Entity
	// Hides reports whether entities of a type, or of a type within it, are redacted.
	Hides func(entityType string) bool
	// Spans are the stretches of the recording in which redacted words are spoken.
	Spans []Span
	// Failed is the failure of a provider that could have found more; nil: there was none.
	Failed *messages.AddonError
}

// Span is a stretch of one channel, in seconds from the beginning of the recording.
type Span struct {
	Channel    int
	Start, End float64
}

// Recorded does the add-ons of one recorded job, once its speakers are known. It is used once, by
// one goroutine.
type PreRecorded struct {
	table *Table
	job   Job
}

// NewPreRecorded returns the add-ons of the table for a job's request.
func NewPreRecorded(q *messages.PreRecordedRequest, t *Table) *PreRecorded {
	return &PreRecorded{table: t, job: Job{Runner: t.NewRunner(), Request: q}}
}

// Result builds the job's result from its transcript. An add-on that fails reports the error in its
// own result. The error of Result is ctx's, or that of an editor, such as that something could not
// be redacted; the result is nil then.
func (r *PreRecorded) Result(ctx context.Context, transcript messages.LiveResult) (*messages.PreRecordedResult, error) {
	j := &r.job
	j.Seconds, j.Utterances = transcript.Metadata.AudioDuration, transcript.Transcription.Utterances
	for e := range implementing[TranscriptEditor](r.table) {
		if err := e.Edit(ctx, j); err != nil {
			return nil, err
		}
	}
	result := &messages.PreRecordedResult{Metadata: transcript.Metadata, Transcription: &messages.Transcription{
		FullTranscript: messages.FullText(j.Utterances), Languages: transcript.Transcription.Languages,
		Utterances: j.Utterances,
	}, Warnings: j.Warnings}
	r.analyze(ctx, result)
	return result, ctx.Err()
}

func (r *PreRecorded) analyze(ctx context.Context, result *messages.PreRecordedResult) {
	for name := range r.job.Request.Declared {
		result.Declared.Reserve(name)
	}
	var running panics.Group
	defer running.Wait()
	for a := range implementing[TranscriptAnalyzer](r.table) {
		running.Go(func() { a.Analyze(ctx, &r.job, result) })
	}
}

// Silences are the stretches of the recording to be silenced, by channel and start; they are known
// once Result has returned.
func (r *PreRecorded) Silences() []Span {
	if r.job.Redaction == nil {
		return nil
	}
	return r.job.Redaction.Spans
}
