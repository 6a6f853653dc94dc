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
	for after := int64(0); ; {
		events, err := from.Events(ctx, record.Account, record.ID, after, eventsPage)
		if err != nil {
			return nil, fmt.Errorf("read finals: %w", err)
		}
		for _, e := range events {
			after = e.Seq
			if e.Kind != messages.KindFinal {
				continue
			}
			m, err := e.Decode()
			if err != nil {
				return nil, fmt.Errorf("read final: %w", err)
			}
			if t, ok := m.(messages.Transcript); ok {
				finals = append(finals, t.Utterance)
			}
		}
		if len(events) < eventsPage {
			return redact.Silent(finals, channels), nil
		}
	}
}
