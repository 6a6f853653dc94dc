package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/metrics"
	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/addontest"
	"steno/session/addon/remote"
)

// TestAddonFailuresAreLogged: operators see why an add-on fails, but not for each utterance.
func TestAddonFailuresAreLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		m := metrics.New()
		result := fmt.Errorf("Sasha Miller: %w", context.Canceled)
		breaks := false
		table := addontest.Providers{Entities: func(context.Context, messages.Utterance) ([]messages.Entity, error) {
			if breaks {
				panic("Sasha Miller")
			}
			return nil, result
		}}.Table().WithFailures(newAddonFailures(nil, zerolog.New(&log), m).report)
		request := &messages.LiveRequest{RealtimeProcessing: messages.RealtimeProcessing{NamedEntityRecognition: true}}
		name := func(err error) {
			t.Helper()
			result = err
			m, _ := addon.NewLive(request, table).Steps("00_00000000", messages.Utterance{})[0].Do(t.Context())
			if failed := m.(messages.NamedEntityRecognition).Error; (failed != nil) != (err != nil || breaks) {
				t.Errorf("%+v of %v", failed, err)
			}
		}
		lines := func() []string { return strings.Split(strings.TrimSuffix(log.String(), "\n"), "\n") }

		name(nil)
		name(result)
		name(remote.NewError(422, "TranslationUnsupported", "No translation", nil))
		if log.Len() > 0 {
			t.Fatalf("logged %s", &log)
		}
		for range 3 {
			name(remote.NewError(502, "LanguageModelRefused", "The language model refused the request",
				errors.New("HTTP 401 Unauthorized")))
		}
		if got := lines(); len(got) != 1 || !strings.Contains(got[0], "401") || !strings.Contains(got[0],
			`"named_entity_recognition"`) {
			t.Errorf("logged %s", got)
		}
		time.Sleep(failureLogInterval)
		breaks = true
		name(nil)
		if got := lines(); len(got) != 2 || !strings.Contains(got[1], `"unlogged":2`) || !strings.Contains(got[1],
			"broke down") || strings.Contains(got[1], "Miller") {
			t.Errorf("logged %s", got)
		}
		families, err := m.Registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		counted := 0.0
		for _, f := range families {
			if f.GetName() == "steno_addon_failures_total" {
				counted = f.GetMetric()[0].GetCounter().GetValue()
			}
		}
		if counted != 4 {
			t.Errorf("counted %v", counted)
		}
	})
}
