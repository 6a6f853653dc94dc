// Package diarization is the add-on that attributes a recording's utterances to speakers. The work
// itself needs the audio: package speaker does it, or an engine.
package diarization

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/remote"
)

const name = "diarization"

// Addon is diarization. In live sessions the session itself labels the speakers.
type Addon struct {
	// Engine states that engines may have models for it. The embedded provider serves the others.
	Engine bool
}

// Name implements [addon.Addon].
func (Addon) Name() string { return name }

// Offer implements [addon.Addon].
func (a Addon) Offer(context.Context) messages.Addon {
	engine := ""
	if a.Engine {
		engine = addon.Engine
	}
	return addon.Offer(name, addon.LiveAndPreRecorded, engine, addon.Embedded)
}

// Failure is the result of a diarization that failed. One that succeeded has none: its labels stand
// in the utterances.
type Failure = messages.AddonResult[messages.List[messages.Utterance]]

// TooLong returns the error of a recording whose channels together are longer than the limit of a
// diarization.
func TooLong(limit time.Duration) error {
	return remote.NewError(http.StatusRequestEntityTooLarge, "RecordingTooLong",
		fmt.Sprintf("speakers are told apart in recordings of up to %d hours, all channels together",
			limit/time.Hour), nil)
}

// Run has assign label the speakers of a recorded job's utterances, which may split them where the
// speaker changes. If that fails or takes too long, it returns the utterances as they were and the
// failure.
func Run(
	ctx context.Context, t *addon.Table, us []messages.Utterance, assign func(context.Context,
		[]messages.Utterance) ([]messages.Utterance, error),
) ([]messages.Utterance, *Failure) {
	r := t.NewRunner()
	began := r.Clock.Now()
	labelled, err := addon.Run(ctx, r, name, r.PostProcessing, func(ctx context.Context) ([]messages.Utterance, error) {
		return assign(ctx, us)
	})
	if err != nil {
		f := addon.Wrap[messages.List[messages.Utterance]](r.Since(began), nil, true, remote.Addon(err))
		return us, f
	}
	return labelled, nil
}
