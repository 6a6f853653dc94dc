package tracks

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

func TestMixer(t *testing.T) {
	m := New(2, 1, '.', 4)
	var got []byte
	for _, c := range []struct {
		track int
		at    int64
		text  string
	}{
		{0, 0, "ab"}, {1, 0, "AB"}, {1, 2, "CD"}, {0, 3, "d"}, {1, 1, "BCDE"}, {0, -1, "e"}, {0, -1, "fghijk"},
		{7, 0, "x"},
	} {
		got = append(got, m.Add(c.track, c.at, []byte(c.text))...)
	}
	got = append(got, m.Flush()...)
	if want := "aAbB.CdDeEf.g.h.i.j.k."; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Whatever comes, the stream is of whole samples of all tracks, in the order in which each sent
// them, and little is held.
func TestMixerHoldsLittle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const width, ahead = 2, 16
		m := New(2, width, 0, ahead)
		sent := 0
		var got [2][]byte
		take := func(p []byte) {
			if len(p)%(2*width) != 0 {
				t.Fatalf("%d bytes", len(p))
			}
			for i := 0; i < len(p); i += width {
				got[i/width%2] = append(got[i/width%2], p[i:i+width]...)
			}
		}
		for range rapid.IntRange(0, 40).Draw(t, "pieces") {
			p := bytes.Repeat([]byte{1}, rapid.IntRange(0, 12).Draw(t, "bytes"))
			sent += len(p)
			take(m.Add(rapid.IntRange(0, 1).Draw(t, "track"), int64(rapid.IntRange(-1, 1<<20).Draw(t, "at")), p))
			for _, l := range m.tracks {
				if len(l.held) > ahead+12+ahead {
					t.Fatalf("%d bytes are held", len(l.held))
				}
			}
		}
		take(m.Flush())
		if ones := bytes.Count(got[0], []byte{1}) + bytes.Count(got[1], []byte{1}); ones > sent {
			t.Fatalf("%d bytes of %d", ones, sent)
		}
	})
}
