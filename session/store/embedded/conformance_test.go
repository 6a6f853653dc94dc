package embedded_test

import (
	"testing"
	"time"

	"steno/session/store"
	"steno/session/store/embedded"
	"steno/session/store/embedded/embeddedtest"
	"steno/session/store/storetest"
)

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T, now func() time.Time) store.Store {
		s, err := embedded.OpenWith(t.Context(), embeddedtest.Folder(t), embedded.Options{Now: now})
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}
