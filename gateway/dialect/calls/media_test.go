package calls

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"testing/quick"

	"steno/gateway/dialect"
	"steno/gateway/dialect/dialecttest"
)

// pieces divides audio of 8 bytes per ms into numbered pieces of 20 ms.
func pieces(track string, audio []byte) (all []Piece) {
	for n := 0; len(audio) > 0; n++ {
		size := min(160, len(audio))
		all = append(all, Piece{track, strconv.Itoa(n + 1), strconv.Itoa(20*n + 3), slices.Clone(audio[:size])})
		audio = audio[size:]
	}
	return all
}

// add adds a piece as its service sends it.
func add(t *testing.T, m *Media, p Piece, to dialect.Input) {
	t.Helper()
	if err := m.Add(p, base64.StdEncoding.AppendEncode(nil, p.Audio), to); err != nil {
		t.Fatal(err)
	}
}

func noise(n int, seed uint64) []byte {
	random, p := rand.New(rand.NewPCG(seed, 1)), make([]byte, n)
	for i := range p {
		p[i] = byte(random.IntN(256))
	}
	return p
}

// However far pieces overtake each other, and however often one comes, the audio is what was sent.
func TestPiecesInAnyOrder(t *testing.T) {
	sound := noise(160*200+80, 1)
	property := func(seed uint64) bool {
		random := rand.New(rand.NewPCG(seed, 2))
		all := pieces("inbound", sound)
		for range 20 {
			i := random.IntN(len(all))
			all = slices.Insert(all, i+1, all[i])
		}
		late := map[string]int{}
		for n, p := range all {
			late[p.Chunk] = n + random.IntN(10)
		}
		late["1"] = -1
		slices.SortStableFunc(all, func(a, b Piece) int { return late[a.Chunk] - late[b.Chunk] })
		m, to := NewMedia(MuLaw, 8000, "inbound"), &dialecttest.Input{}
		for _, p := range all {
			add(t, m, p, to)
		}
		m.End(to)
		return bytes.Equal(to.Heard, sound)
	}
	if err := quick.Check(property, nil); err != nil {
		t.Error(err)
	}
}

// Two tracks become two channels; a track that pauses is silent meanwhile, and what follows stands
// at its time.
func TestTwoTracks(t *testing.T) {
	in, out := pieces("inbound", noise(160*100, 3)), pieces("outbound", noise(160*100, 4))
	m, to := NewMedia(ALaw, 8000, "inbound", "outbound"), &dialecttest.Input{}
	for n := range in {
		add(t, m, in[n], to)
		if n < 30 || n >= 60 { // 600 ms are missing
			p := out[n]
			p.Chunk = "" // numbers would stand still
			add(t, m, p, to)
		}
	}
	m.End(to)
	if len(to.Heard) != 2*160*100 {
		t.Fatalf("%d bytes", len(to.Heard))
	}
	for n := range in {
		for i := range 160 {
			frame := to.Heard[2*(160*n+i):]
			want := out[n].Audio[i]
			if n >= 30 && n < 60 {
				want = ALaw.Silence
			}
			if frame[0] != in[n].Audio[i] || frame[1] != want {
				t.Fatalf("piece %d, sample %d: %x, want %x %x", n, i, frame[:2], in[n].Audio[i], want)
			}
		}
	}
}

// A gap becomes silence of its length, and times that are not exact change nothing.
func TestGapsAndJitter(t *testing.T) {
	sound := noise(160*50, 5)
	m, to := NewMedia(MuLaw, 8000, "inbound"), &dialecttest.Input{}
	for n, p := range pieces("inbound", sound) {
		at := 20*n + n%7*5
		if n >= 25 {
			at += 3000
		}
		p.At = strconv.Itoa(at)
		add(t, m, p, to)
	}
	want := slices.Concat(sound[:160*25], bytes.Repeat([]byte{0xff}, 8*3020), sound[160*25:])
	if !bytes.Equal(to.Heard, want) {
		t.Errorf("%d bytes, want %d", len(to.Heard), len(want))
	}
}

// The first track that is heard is the one of a session with one channel.
func TestOneTrack(t *testing.T) {
	m, to := NewMedia(Linear, 16000, "inbound"), &dialecttest.Input{}
	for range 3 {
		add(t, m, Piece{Track: "outbound", Audio: []byte{1, 2}}, to)
		add(t, m, Piece{Track: "inbound", Audio: []byte{3, 4}}, to)
	}
	if !bytes.Equal(to.Heard, []byte{1, 2, 1, 2, 1, 2}) {
		t.Errorf("%x", to.Heard)
	}
}

func TestBadPieces(t *testing.T) {
	m := NewMedia(MuLaw, 8000, "inbound")
	for _, p := range []Piece{{At: "-1"}, {At: "x"}, {Chunk: "1e3"}, {At: "99999999999999999999"}} {
		if m.Add(p, nil, &dialecttest.Input{}) == nil {
			t.Errorf("%+v is taken", p)
		}
	}
	if m.Add(Piece{}, []byte("!"), &dialecttest.Input{}) == nil {
		t.Error("taken: no base64")
	}
}
