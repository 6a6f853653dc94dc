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

// The partials of a party that has few speakers lie no further apart than it would have them
// alone, unless that were more than its share; those of one that has many make room.
func TestPaceByParty(t *testing.T) {
	p := pace{every: shortestStep, slots: 2, cost: 30 * time.Millisecond, speaking: map[string]int{}}
	p.speaks("heavy", 20) // would take 2 slots, of which partials may have half
	alone := p.step("heavy")
	if want := int(20 * 0.03 * asr.Rate); alone < want-1 || alone > want+1 {
		t.Errorf("of one party %d samples lie between partials, want %d", alone, want)
	}
	p.speaks("light", 1)
	light, heavy := p.step("light"), p.step("heavy")
	if light != shortestStep || heavy <= alone || heavy > alone*12/10 {
		t.Errorf("%d samples lie between partials of one speaker, %d between those of 20, %d before", light, heavy,
			alone)
	}
	p.speaks("light", 19)
	if light, heavy := p.step("light"), p.step("heavy"); light != heavy || light < 2*alone-2 {
		t.Errorf("%d and %d samples lie between partials of two parties of 20", light, heavy)
	}
	p.speaks("light", -20)
	p.speaks("heavy", -20)
	if len(p.speaking) > 0 || p.step("heavy") != shortestStep {
		t.Errorf("%v are remembered", p.speaking)
	}
}
