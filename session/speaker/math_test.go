package speaker

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSpectraOfAPairAreThoseOfEach(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s := newSpectrum()
	var x, y [window]float64
	for i := range x {
		x[i], y[i] = r.NormFloat64(), r.NormFloat64()
	}
	var px, py [points/2 + 1]float64
	s.pair(&x, &y, &px, &py)
	for _, k := range []int{0, 1, 7, 100, 255, 256} {
		for name, c := range map[string]struct {
			x   *[window]float64
			got float64
		}{"first": {&x, px[k]}, "second": {&y, py[k]}} {
			var sum complex128
			for i, v := range c.x {
				sum += complex(v*s.shape[i], 0) * cmplx.Rect(1, -2*math.Pi*float64(i*k)/points)
			}
			if want := real(sum)*real(sum) + imag(sum)*imag(sum); math.Abs(c.got-want) > 1e-9*(1+want) {
				t.Errorf("%s, bin %d: %g, not %g", name, k, c.got, want)
			}
		}
	}
}

func TestLogDeterminant(t *testing.T) {
	// L L' of a lower triangle L has the squared product of L's diagonal as determinant.
	r := rand.New(rand.NewPCG(3, 4))
	var l [dims][dims]float64
	want := 0.0
	for i := range dims {
		for j := range i {
			l[i][j] = r.NormFloat64()
		}
		l[i][i] = 0.5 + r.Float64()
		want += 2 * math.Log(l[i][i])
	}
	var a [crossed]float64
	at := 0
	for i := range dims {
		for j := range i + 1 {
			for k := range dims {
				a[at] += l[i][k] * l[j][k]
			}
			at++
		}
	}
	if a[diagonal(5)] < l[5][5]*l[5][5] {
		t.Error("diagonal is elsewhere")
	}
	if got := logDeterminant(&a); math.Abs(got-want) > 1e-9 {
		t.Errorf("%g, not %g", got, want)
	}
}

// gaussianSpeech is speech of people whose cepstra are Gaussian, each in pieces of so many frames.
func gaussianSpeech(who []int, each int) *features {
	r := rand.New(rand.NewPCG(5, 6))
	v := &features{}
	for _, w := range who {
		v.starts = append(v.starts, len(v.loud))
		v.spans = append(v.spans, Span{len(v.loud) * step, (len(v.loud) + each) * step})
		for range each {
			for d := range dims {
				v.cepstra = append(v.cepstra, float32(r.NormFloat64()+3*float64((w>>(d%3))&1)))
			}
			v.loud = append(v.loud, true)
		}
	}
	v.starts = append(v.starts, len(v.loud))
	v.pauses = v.starts
	all := v.gaussian(0, len(v.loud))
	v.prior = newPrior(&all, priorWeight)
	return v
}

// More pieces than are clustered together still come to the right speakers.
func TestManySegments(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	who := make([]int, batchSize+50)
	for i := range who {
		who[i] = r.IntN(4)
	}
	v := gaussianSpeech(who, shortestSegment)
	f, err := v.cluster(t.Context(), coarseCuts)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.segments) != len(who) || len(f.batches) == 0 || len(f.batches)+len(f.tree) != len(who)-1 {
		t.Fatalf("%d pieces, %d and %d merges", len(f.segments), len(f.batches), len(f.tree))
	}
	of, k := f.speakers(len(v.loud), withinSpeakers(f.tree, 1, MaxSpeakers, f.speakerFrames()))
	if k != 4 {
		t.Fatalf("%d speakers of 4", k)
	}
	for i, w := range who {
		if first := slices.Index(who, w); of[v.starts[i]] != of[v.starts[first]] {
			t.Fatalf("piece %d is of speaker %d, piece %d of %d", i, of[v.starts[i]], first, of[v.starts[first]])
		}
	}
}

// A turn is drawn where it is; an odd moment makes none.
func TestResegment(t *testing.T) {
	who := []int{0, 0, 0, 7, 7, 7, 0, 0, 7, 7, 7}
	v := gaussianSpeech(who, 100)
	wrong := make([]uint8, len(v.loud))
	for i := range wrong {
		if who[min(i+40, len(wrong)-1)/100] == 7 { // each border 0.4 s too early
			wrong[i] = 1
		}
	}
	of, err := v.resegment(t.Context(), wrong, 2, 1, rounds)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range of {
		if want := who[i/100] == 7; (s == 1) != want {
			t.Fatalf("frame %d is of speaker %d", i, s)
		}
	}
}

func TestViterbiMinimumTurn(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	const n, k = 2000, 3
	p := newViterbi(n, k)
	for i := range n {
		scores := make([]float64, k)
		for j := range scores {
			scores[j] = 8 * r.NormFloat64()
		}
		cost := changeCost
		if i+1 == shortestTurn {
			cost = 0
		}
		p.advance(i, scores, cost)
	}
	length, turns := 0, 0
	of := p.path()
	for i := range of {
		length++
		if i+1 == n || of[i+1] != of[i] {
			if turns++; length < shortestTurn && i+1 < n {
				t.Fatalf("a turn of %d frames", length)
			}
			length = 0
		}
	}
	if turns < 3 {
		t.Errorf("only %d turns of noise", turns)
	}
}

func TestScore(t *testing.T) {
	truth := []Turn{{Start: 0, End: 10 * rate}, {Start: 8 * rate, End: 20 * rate, Speaker: 1}}
	for _, c := range []struct {
		name                   string
		found                  []Turn
		collar                 int
		missed, alarm, confuse float64
	}{
		{"right, others' numbers", []Turn{turn(0, 10, 1), turn(8, 20, 0)}, 0, 0, 0, 0},
		{"one for all", []Turn{turn(0, 20, 0)}, 0, 2, 0, 8},
		{"nothing", nil, 0, 22, 0, 0},
		{"border late", []Turn{turn(0, 10.2, 0), turn(8, 20, 1)}, 0, 0, 0.2, 0},
		{"border late within the collar", []Turn{turn(0, 10.2, 0), turn(8, 20, 1)}, rate / 4, 0, 0, 0},
		{"after the end", []Turn{turn(0, 10, 0), turn(8, 22, 1)}, 0, 0, 2, 0},
	} {
		e := score(truth, c.found, c.collar)
		if math.Abs(e.missed-c.missed)+math.Abs(e.alarm-c.alarm)+math.Abs(e.confused-c.confuse) > 1e-6 {
			t.Errorf("%s: %+v", c.name, e)
		}
	}
}
