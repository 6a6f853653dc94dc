package transcribe

import (
	"context"
	"fmt"
	"slices"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/redact"
)

// Result is what comes of a job.
type Result struct {
	messages.PreRecordedResult
	// Silences are the parts of the recording that hold what the result hides, by channel of the
	// file; empty: none does.
	Silences []redact.Span
}

// Enrich runs the add-ons that the job wants on a transcript and makes its result. An add-on that
// fails reports it in its part of the result. Errors: the context's, or that something could not be
// hidden, and then there is no result.
func (j Job) Enrich(ctx context.Context, t Transcript) (Result, error) {
	wanted := addon.NewPreRecorded(j.Request, j.Addons)
	result, err := wanted.Result(ctx, t.LiveResult)
	if err != nil {
		return Result{}, fmt.Errorf("add-ons: %w", err)
	}
	result.Diarization = t.Diarization
	result.Warnings = append(result.Warnings, t.Warnings...)
	for _, text := range t.recording.Omitted {
		result.Warnings = append(result.Warnings, messages.Warning{Field: "audio_track", Message: text})
	}
	return Result{PreRecordedResult: *result, Silences: silences(wanted.Silences(), t.recording.omitted())}, nil
}

// silenceMargin is the silence before and after what is hidden, in seconds: the times of
// recognizers are not more exact.
const silenceMargin = 0.05

// silences widens spans by the margin and repeats them on the channels that were not transcribed,
// which may hold the same.
func silences(spans []redact.Span, omitted []int) []redact.Span {
	spans = slices.Clone(spans)
	for i := range spans {
		spans[i].Start, spans[i].End = max(spans[i].Start-silenceMargin, 0), spans[i].End+silenceMargin
	}
	all := spans
	for _, channel := range omitted {
		for _, s := range spans {
			s.Channel = channel
			all = append(all, s)
		}
	}
	return all
}
