package whole

import (
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
)

// A final waits for what runs of another party, however many of those have ended before.
func TestPartiesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{finals: time.Second}
		m := serve(t, 1, f, Config{})
		var heavy []asr.Stream
		for range 10 {
			u := open(t, m, asr.Params{Party: "heavy"})
			must(t, u.Write(noise[:asr.Rate]), u.End())
			heavy = append(heavy, u)
		}
		time.Sleep(1500 * time.Millisecond)
		light := open(t, m, asr.Params{Party: "light"})
		must(t, light.Write(noise[:asr.Rate/2]), light.End())
		_, final := receive(t, light)
		same(t, final, want(f, noise[:asr.Rate/2], 0))
		if final.Queued != 500*time.Millisecond {
			t.Errorf("queued %v, want what was left of the one that ran", final.Queued)
		}
		for _, u := range heavy {
			_, final := receive(t, u)
			same(t, final, want(f, noise[:asr.Rate], 0))
		}
	})
}
