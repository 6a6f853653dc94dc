package logmel

import "math"

const (
	points  = 256        // complex points of the transform
	winSize = 2 * points // samples of a window: 32 ms
)

// tables are the constants of the transforms. They are written once, before main.
var tables = newTables()

// twiddles are the constants of four butterflies that lie side by side, each number for
// all of them: cos and sin of j, 2j and 3j times the stage's angle.
type twiddles [6][beside]float64

const beside = 4

type transformTables struct {
	even, odd [points]float64 // the window at even and odd samples, times scale
	reverse   [points]uint8   // where the transform leaves bin k
	// The twiddles of the three longer stages one behind the other.
	twiddle [(points/4 + points/16 + points/64) / beside]twiddles
	// cos and sin of -2 pi k / winSize.
	cos, sin [points/2 + 1]float64
}

func newTables() *transformTables {
	t := new(transformTables)
	window := func(i int) float64 { return 0.5 - 0.5*math.Cos(2*math.Pi*(float64(i)+0.5)/winSize) }
	for i := range points {
		t.even[i], t.odd[i] = window(2*i)*scale, window(2*i+1)*scale
	}
	for k := range t.reverse {
		t.reverse[k] = uint8(k&3<<6 | k>>2&3<<4 | k>>4&3<<2 | k>>6&3)
	}
	at := 0
	for n := points; n > 4; n /= 4 {
		for j := range n / 4 {
			for m := 1; m <= 3; m++ {
				s, c := math.Sincos(-2 * math.Pi * float64(m*j) / float64(n))
				t.twiddle[at/beside][2*m-2][at%beside], t.twiddle[at/beside][2*m-1][at%beside] = c, s
			}
			at++
		}
	}
	for k := range t.cos {
		t.sin[k], t.cos[k] = math.Sincos(-2 * math.Pi * float64(k) / winSize)
	}
	return t
}

// plainWeigh sets re to the even samples of a window and im to the odd ones, weighed.
func plainWeigh(re, im *[points]float64, window *[winSize]int16) {
	for i := range re {
		re[i] = float64(window[2*i]) * tables.even[i]
		im[i] = float64(window[2*i+1]) * tables.odd[i]
	}
}

// transform is the discrete Fourier transform of 256 complex points, in place, radix
// 4, decimation in frequency: bin k is left at tables.reverse[k].
func transform(re, im *[points]float64) {
	at := 0
	for q := points / 4; q > 1; q /= 4 {
		for i := 0; i < points; i += 4 * q {
			butterflies(re[i:i+4*q], im[i:i+4*q], tables.twiddle[at:at+q/beside])
		}
		at += q / beside
	}
	for i := 0; i < points; i += 4 {
		ar, br, cr, dr := re[i], re[i+1], re[i+2], re[i+3]
		ai, bi, ci, di := im[i], im[i+1], im[i+2], im[i+3]
		sr, si, tr, ti := ar+cr, ai+ci, ar-cr, ai-ci
		ur, ui, vr, vi := br+dr, bi+di, bi-di, dr-br
		re[i], im[i] = sr+ur, si+ui
		re[i+1], im[i+1] = tr+vr, ti+vi
		re[i+2], im[i+2] = sr-ur, si-ui
		re[i+3], im[i+3] = tr-vr, ti-vi
	}
}

// plainButterflies does those of one part of a stage: four for each of the twiddles, of
// points that lie a quarter of the part from each other.
func plainButterflies(re, im []float64, w []twiddles) {
	q := beside * len(w)
	for j := range q {
		w := &w[j/beside]
		b, c, d, lane := j+q, j+2*q, j+3*q, j%beside
		sr, si := re[j]+re[c], im[j]+im[c]
		tr, ti := re[j]-re[c], im[j]-im[c]
		ur, ui := re[b]+re[d], im[b]+im[d]
		vr, vi := im[b]-im[d], re[d]-re[b]
		re[j], im[j] = sr+ur, si+ui
		xr, xi := tr+vr, ti+vi
		re[b], im[b] = xr*w[0][lane]-xi*w[1][lane], xr*w[1][lane]+xi*w[0][lane]
		xr, xi = sr-ur, si-ui
		re[c], im[c] = xr*w[2][lane]-xi*w[3][lane], xr*w[3][lane]+xi*w[2][lane]
		xr, xi = tr-vr, ti-vi
		re[d], im[d] = xr*w[4][lane]-xi*w[5][lane], xr*w[5][lane]+xi*w[4][lane]
	}
}
