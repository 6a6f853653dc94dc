package tracks

import (
	"bytes"
	"encoding/binary"
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

// FuzzMixer: whatever times pieces have, the stream has whole samples of all tracks, and no more
// than was sent and the gaps that are filled.
func FuzzMixer(f *testing.F) {
	f.Add(uint8(2), uint8(2), []byte("\x00\x00\x00\x00\x04\x01\x00\x00\x00\x04"))
	f.Add(uint8(1), uint8(1), []byte("\x00\xff\xff\xff\xff\x03\x00\x7f\xff\xff\xff\x01"))
	f.Add(uint8(3), uint8(2), []byte("\x00\x00\x00\x00\x01\x05\x01\x00\x00\x00\x03\x07"))
	f.Fuzz(func(t *testing.T, tracks, width uint8, script []byte) {
		n, w := int(tracks%4)+1, int(width%4)+1
		const ahead = 64
		m, heard, most := New(n, w, 0xff, ahead), 0, 0
		take := func(p []byte) {
			if heard += len(p); len(p)%(n*w) != 0 {
				t.Errorf("%d bytes of %d tracks of %d", len(p), n, w)
			}
		}
		for ; len(script) >= 6; script = script[6:] {
			at := int64(int32(binary.BigEndian.Uint32(script[1:])))
			take(m.Add(int(script[0]%5), at, make([]byte, script[5])))
			most += int(script[5]) + ahead
		}
		take(m.Flush())
		if heard > n*(most+w) {
			t.Errorf("%d bytes of %d tracks, of which %d came", heard, n, most)
		}
	})
}
