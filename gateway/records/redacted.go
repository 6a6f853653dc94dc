package records

import (
	"context"
	"fmt"

	"steno/messages"
	"steno/session/addon/redact"
	"steno/session/store"
)

// silences returns where the recording of a session that is redacted is silent, see
// [redact.Silent].
func silences(ctx context.Context, from Store, record store.Record, channels int) ([]redact.Span, error) {
	var finals []messages.Utterance
	err := eachEvent(ctx, from, record.Account, record.ID, func(e messages.Event) error {
		if e.Kind != messages.KindFinal {
			return nil
		}
		m, err := e.Decode()
		if err != nil {
			return fmt.Errorf("read final: %w", err)
		}
		if t, ok := m.(messages.Transcript); ok {
			finals = append(finals, t.Utterance)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return redact.Silent(finals, channels), nil
}
