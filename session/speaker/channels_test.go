package speaker

import (
	"slices"
	"testing"
)

func mustChannels(t *testing.T, channels [][]int16, want Count) [][]Turn {
	t.Helper()
	turns, err := Channels(t.Context(), channels, nil, want)
	if err != nil {
		t.Fatal(err)
	}
	if len(turns) != len(channels) {
		t.Fatalf("%d channels of turns for %d", len(turns), len(channels))
	}
	return turns
}

// split lays each speaker of a conversation on a channel of its own, with some of the others
// leaking in.
func split(c conversation, leak float64) [][]int16 {
	out := make([][]int16, speakers(c.truth))
	for i := range out {
		out[i] = make([]int16, len(c.samples))
		for k, s := range c.samples {
			out[i][k] = int16(leak * float64(s))
		}
	}
	for _, t := range c.truth {
		copy(out[t.Speaker][t.Start:t.End], c.samples[t.Start:t.End])
	}
	return out
}

func attenuated(x []int16, by int16) []int16 {
	out := slices.Clone(x)
	for i := range out {
		out[i] /= by
	}
	return out
}

func TestChannelsOfOneSpeakerEach(t *testing.T) {
	c := dialogue()
	for _, leak := range []float64{0, 0.05} {
		for k, turns := range mustChannels(t, split(c, leak), Count{}) {
			for _, u := range turns {
				if u.Speaker != k {
					t.Fatalf("leak %g: speaker %d on channel %d", leak, u.Speaker, k)
				}
			}
			if len(turns) == 0 {
				t.Errorf("leak %g: channel %d is silent", leak, k)
			}
		}
	}
}

func TestChannelsOfTheSameMix(t *testing.T) {
	c := dialogue()
	turns := mustChannels(t, [][]int16{c.samples, attenuated(c.samples, 3)}, Count{})
	if !slices.Equal(turns[0], turns[1]) || speakers(turns[0]) != 3 {
		t.Errorf("%v\n%v", turns[0], turns[1])
	}
	whole := []Span{{0, len(c.samples)}}
	got, err := Channels(t.Context(), [][]int16{c.samples}, [][]Span{whole}, Count{})
	if err != nil || !slices.Equal(got[0], mustDiarize(t, c.samples, nil, Count{})) {
		t.Errorf("a single mix is not diarized as one channel: %v, %v", got, err)
	}
}

func TestSilentChannel(t *testing.T) {
	c := dialogue()
	turns := mustChannels(t, [][]int16{make([]int16, len(c.samples)), man.speech(6, 1)}, Count{})
	if len(turns[0]) > 0 || speakers(turns[1]) != 1 {
		t.Errorf("%v\n%v", turns[0], turns[1])
	}
	if turns := mustChannels(t, [][]int16{nil, make([]int16, rate)}, Count{Exactly: 2}); len(turns[0])+
		len(turns[1]) > 0 {
		t.Errorf("all silent: %v", turns)
	}
	mustChannels(t, nil, Count{})
}

// Three speakers on two channels: the channel with two voices is the one that is divided. One
// speaker on two: one.
func TestOtherNumbersOfSpeakersThanChannels(t *testing.T) {
	pair := scene([]person{woman, child}, line{0, 4}, line{1, 4}, line{0, 4}, line{1, 4}, line{0, 3}, line{1, 3})
	alone := scene([]person{man}, line{0, 5}, line{0, 7}, line{0, 4})
	both := [][]int16{alone.samples, pair.samples}
	for n := 1; n <= 3; n++ {
		turns := mustChannels(t, both, Count{Exactly: n})
		if all := speakers(slices.Concat(turns...)); all != n {
			t.Errorf("exactly %d: %d", n, all)
		}
	}
	turns := mustChannels(t, both, Count{Exactly: 3})
	first := turns[0][0].Speaker
	for _, u := range turns[0] {
		if u.Speaker != first {
			t.Error("the channel of one voice was divided")
		}
	}
	if e := score(pair.truth, turns[1], rate/4); e.confused/e.speech > 0.02 {
		t.Errorf("%.1f %% confused", 100*e.confused/e.speech)
	}
}
