package addon_test

import (
	"context"
	"testing"
	"time"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/addontest"
)

// The time of an add-on is that of the injected clock: nothing here waits.
func TestTimeoutsByTheClock(t *testing.T) {
	clock := new(addontest.Clock)
	p := addontest.Providers{Runner: addon.Runner{Clock: clock}}
	p.Entities = func(ctx context.Context, u messages.Utterance) ([]messages.Entity, error) {
		switch u.Text {
		case "hangs":
			clock.Advance(5 * time.Second)
			<-ctx.Done()
			return nil, ctx.Err()
		case "late":
			clock.Advance(5 * time.Second)
			return nil, nil
		}
		clock.Advance(4 * time.Second)
		return nil, nil
	}
	l := live(t, `{"realtime_processing":{"named_entity_recognition":true}}`, p.Table())
	r := l.Results()
	var ids []string
	for text, want := range map[string]int{"hangs": 504, "late": 504, "quick": 0} {
		step := l.Steps(text, messages.Utterance{Text: text})[0]
		m := done(t, step)
		if failed := m.(messages.NamedEntityRecognition).Error; (failed == nil) != (want == 0) || failed != nil &&
			failed.StatusCode != want {
			t.Errorf("%s: %+v", text, failed)
		}
		r.Add(step.Key, m)
		ids = append(ids, text)
	}
	var result messages.LiveResult
	r.Put(&result, ids)
	if took := result.NamedEntityRecognition.ExecTime; took != 14 {
		t.Errorf("took %v s", took)
	}
}
