package endtoend_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"steno/audio"
	"steno/loadtest"
)

// testLoadOverRestart kills the gateway while several clients of the load generator speak, and
// starts it again: they come back and miss nothing.
func testLoadOverRestart(t *testing.T, g *gateway, e engineCase) {
	format := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: clipRate, Channels: 1}
	clip := &loadtest.Clip{Name: e.name, Format: format, Data: e.clip(t).pcm}
	var once sync.Once
	var restarted sync.WaitGroup
	report, err := loadtest.Run(t.Context(), loadtest.Options{
		URL: g.url(), Key: testKey, Clips: []*loadtest.Clip{clip}, Sessions: 3, Duration: 8 * time.Second,
		Endpointing: 0.3, Partials: true, Patience: 5 * time.Minute, // an engine takes long to start on a busy machine
		Transcript: func(h loadtest.Transcript) {
			if h.Final {
				once.Do(func() { restarted.Go(func() { restart(t, g) }) })
			}
		},
	})
	restarted.Wait()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := report.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", &text)
	if !report.OK() || report.Done != 3 || report.Finals < 6 || report.Reconnects < 3 {
		t.Error("not every client came through the restart, or there was none")
	}
}

// TestLoadOfEveryKind has clients that lose their connections, send with jitter and on two
// channels, and that are followed: nothing goes missing, for them and for their followers.
func TestLoadOfEveryKind(t *testing.T) {
	t.Parallel()
	g := newGateway(t, build(t), "scripted")
	report, err := loadtest.Run(t.Context(), loadtest.Options{
		URL: g.url(), Key: testKey, Clips: []*loadtest.Clip{loadtest.Speech(10*time.Second, 1)}, Sessions: 6,
		Duration:    4 * time.Second,
		RandomStart: true, Channels: 2, Silence: 0.3, Jitter: 60 * time.Millisecond, DropEvery: 1500 * time.Millisecond,
		Subscribers: 1, Partials: true, Endpointing: 0.3,
	})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := report.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if !report.OK() || report.Done != 6 || report.Finals == 0 || report.Dropped == 0 || report.Followed !=
		report.Finals || report.Gaps != 0 {
		t.Errorf("\n%s", &text)
	}
}

func restart(t *testing.T, g *gateway) {
	if err := g.kill(); err != nil {
		t.Error(err)
		return
	}
	if err := g.start(); err != nil {
		t.Error(err)
	}
}
