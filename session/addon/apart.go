package addon

import (
	"context"
	"time"

	"steno/messages"
)

// TellApart has work tell the speakers of a recorded file's utterances apart, splitting them where the speaker changes. It
// returns the utterances as they are then; or as they were, and the wrapper that says what failed.
func (w Ways) TellApart(
	ctx context.Context, us []messages.Utterance, work func(ctx context.Context, us []messages.Utterance) ([]messages.Utterance, error),
) ([]messages.Utterance, *messages.AddonResult[messages.List[messages.Utterance]]) {
	outcome := whole(ctx, "diarization", true, w.later(), func(ctx context.Context) ([]messages.Utterance, error) {
		return work(ctx, us)
	}, isEmpty)
	if outcome.Error != nil {
		return us, &messages.AddonResult[messages.List[messages.Utterance]]{IsEmpty: true, ExecTime: outcome.ExecTime, Error: outcome.Error}
	}
	return outcome.Results, nil
}

// later is the time an add-on has for a whole job.
func (w Ways) later() time.Duration {
	if w.Afterwards <= 0 {
		return afterwards
	}
	return w.Afterwards
}
