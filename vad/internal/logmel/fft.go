package logmel

import "math"

const (
	points  = 256        // complex points of the transform
	winSize = 2 * points // samples of a window: 32 ms
)

// tables are the constants of the transforms. They are written once, before main.
var tables = newTables()

type transformTables struct {
	window  [winSize]float64
	reverse [points]uint8 // where the transform leaves bin k
	// The twiddles of the three longer stages one behind the other: cos and sin of
	// j, 2j and 3j times the stage's angle.
	twiddle [points/4 + points/16 + points/64][6]float64
	// cos and sin of -2 pi k / winSize.
	cos, sin [points/2 + 1]float64
}

func newTables() *transformTables {
	t := new(transformTables)
	for i := range t.window {
		t.window[i] = 0.5 - 0.5*math.Cos(2*math.Pi*(float64(i)+0.5)/winSize)
	}
	for k := range t.reverse {
		t.reverse[k] = uint8(k&3<<6 | k>>2&3<<4 | k>>4&3<<2 | k>>6&3)
	}
	at := 0
	for n := points; n > 4; n /= 4 {
		for j := range n / 4 {
			for m := 1; m <= 3; m++ {
				s, c := math.Sincos(-2 * math.Pi * float64(m*j) / float64(n))
				t.twiddle[at][2*m-2], t.twiddle[at][2*m-1] = c, s
			}
			at++
		}
	}
	for k := range t.cos {
		t.sin[k], t.cos[k] = math.Sincos(-2 * math.Pi * float64(k) / winSize)
	}
	return t
}

// transform is the discrete Fourier transform of 256 complex points, in place, radix
// 4, decimation in frequency: bin k is left at tables.reverse[k].
func transform(re, im *[points]float64) {
	at := 0
	for n := points; n > 4; n /= 4 {
		q := n / 4
		for j := range q {
			w := &tables.twiddle[at+j]
			for i := j; i < points; i += n {
				butterfly(re, im, i, q, w)
			}
		}
		at += q
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

func butterfly(re, im *[points]float64, i, q int, w *[6]float64) {
	b, c, d := (i+q)&255, (i+2*q)&255, (i+3*q)&255
	sr, si := re[i]+re[c], im[i]+im[c]
	tr, ti := re[i]-re[c], im[i]-im[c]
	ur, ui := re[b]+re[d], im[b]+im[d]
	vr, vi := im[b]-im[d], re[d]-re[b]
	re[i], im[i] = sr+ur, si+ui
	xr, xi := tr+vr, ti+vi
	re[b], im[b] = xr*w[0]-xi*w[1], xr*w[1]+xi*w[0]
	xr, xi = sr-ur, si-ui
	re[c], im[c] = xr*w[2]-xi*w[3], xr*w[3]+xi*w[2]
	xr, xi = tr-vr, ti-vi
	re[d], im[d] = xr*w[4]-xi*w[5], xr*w[5]+xi*w[4]
}
