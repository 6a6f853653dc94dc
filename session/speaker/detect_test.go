package speaker

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// flat is log-odds that stay for so many frames each.
func flat(levels ...float32) (odds []float32) {
	for i := 0; i < len(levels); i += 2 {
		odds = append(odds, slices.Repeat(levels[i+1:i+2], int(levels[i]))...)
	}
	return odds
}

func TestDetect(t *testing.T) {
	for name, c := range map[string]struct {
		odds []float32
		want []int // first and last second of each stretch, tenths
	}{
		"certain":                        {flat(200, -5, 100, 4, 200, -5), []int{20, 30}},
		"plausible beside certain":       {flat(200, -5, 100, -1, 50, 4, 100, -1, 200, -5), []int{20, 45}},
		"plausible after a lull":         {flat(200, -5, 50, 4, 60, -5, 100, -1, 200, -5), []int{20, 41}},
		"plausible, but far away":        {flat(200, -5, 50, 4, 150, -5, 100, -1, 200, -5), []int{20, 25}},
		"certain twice":                  {flat(100, -5, 50, 4, 150, -5, 50, 3, 100, -5), []int{10, 15, 30, 35}},
		"a click":                        {flat(100, -5, 3, 4, 100, -5), nil},
		"never certain, but rather":      {flat(100, -5, 100, 0.8, 100, -5), []int{10, 20}},
		"never certain, and others less": {flat(100, -5, 100, 1.2, 200, -5, 100, 0, 100, -5), []int{10, 20}},
		"hardly ever":                    {flat(100, -5, 100, 0.3, 100, -5), nil},
		"all of it":                      {flat(100, 4), []int{0, 10}},
		"none":                           {nil, nil},
	} {
		var got []int
		for _, s := range detect(c.odds, len(c.odds)*step) {
			got = append(got, (s.Start+rate/20)/(rate/10), (s.End+rate/20)/(rate/10))
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %v", name, got)
			continue
		}
		for i := range got {
			if d := got[i] - c.want[i]; d < -2 || d > 2 {
				t.Errorf("%s: %v", name, got)
			}
		}
	}
}

// Whatever the odds are: spans are ordered and apart, and within the recording.
func TestDetectInvariants(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var odds []float32
		for range rapid.IntRange(0, 12).Draw(r, "parts") {
			odds = append(odds, flat(float32(rapid.IntRange(1, 120).Draw(r, "frames")),
				rapid.Float32Range(-20, 20).Draw(r, "odds"))...)
		}
		samples := len(odds)*step + rapid.IntRange(0, step-1).Draw(r, "rest")
		last := -joined - 1
		for _, s := range detect(odds, samples) {
			if s.Start-last <= joined || s.End <= s.Start || s.End > samples {
				r.Fatalf("%+v after %d, of %d samples", s, last, samples)
			}
			last = s.End
		}
	})
}

func TestBridge(t *testing.T) {
	got := bridge([]Turn{turn(0, 1, 0), turn(1.9, 3, 0), turn(4.2, 5, 0), turn(5.1, 6, 1), turn(6.5, 7, 0)})
	want := []Turn{turn(0, 3, 0), turn(4.2, 5, 0), turn(5.1, 6, 1), turn(6.5, 7, 0)}
	if !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// A pause within speech is a place to cut; a moment without any, and pauses too near to each other,
// are not.
func TestBreaks(t *testing.T) {
	odds := flat(100, 3, 30, -4, 100, 3, 10, -4, 100, 3, 30, -4, 20, 3, 30, -4, 100, 3)
	v := &features{spans: []Span{{0, len(odds) * step}}, starts: []int{0, len(odds)}, loud: make([]bool, len(odds))}
	got := v.breaks(odds)
	want := []int{0, 115, 355, len(odds)}
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i := range got {
		if d := got[i] - want[i]; d < -2 || d > 2 {
			t.Errorf("%v", got)
		}
	}
}

func TestSpeechOddsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := speechOdds(ctx, make([]int16, rate)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
