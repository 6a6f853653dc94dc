package gateway

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"steno/gateway/health"
	"steno/session/store/embedded/embeddedtest"
)

// However often readiness is requested, the parts are asked at most once a second.
func TestReadinessIsKeptForASecond(t *testing.T) {
	dir := embeddedtest.Folder(t)
	synctest.Test(t, func(t *testing.T) {
		var looks atomic.Int64
		var away atomic.Bool
		w := &bubble{t: t, dir: dir, change: func(d *Deps) {
			d.Ready = func() error {
				looks.Add(1)
				if away.Load() {
					return errors.New("engine is away")
				}
				return nil
			}
		}}
		w.start()
		defer w.stop()
		ask := func(want int) {
			t.Helper()
			for range 20 {
				if status := w.do("GET", "/readyz", "", nil); status != want {
					t.Errorf("status %d, want %d", status, want)
				}
				var told health.Status
				if status := w.do("GET", "/console/status", "", &told); status != 200 || told.Ready != (want == 200) ||
					told.Ready != (told.Reason == "") {
					t.Errorf("the console is told %d %+v, want %d", status, told, want)
				}
			}
		}
		ask(200)
		away.Store(true)
		ask(200)
		time.Sleep(time.Second)
		ask(503)
		away.Store(false)
		time.Sleep(time.Second)
		ask(200)
		if n := looks.Load(); n != 3 {
			t.Errorf("the parts were asked %d times, want 3", n)
		}
	})
}
