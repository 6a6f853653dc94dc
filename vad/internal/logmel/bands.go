package logmel

import "math"

const endBin = 244 // after the last bin of a band

// band is a triangle over bins, of weight one in all.
type band struct {
	from   int
	weight []float32
}

var bands = triangles()

// edge is where band i begins, in bins: it has its top at the next edge, and ends at the one after
// that.
func edge(i int) float64 {
	mel := func(hz float64) float64 { return 2595 * math.Log10(1+hz/700) }
	z := mel(80) + (mel(7600)-mel(80))*float64(i)/(Bands+1)
	return 700 * (math.Pow(10, z/2595) - 1) / (16000.0 / winSize)
}

func triangles() (out [Bands]band) {
	for b := range out {
		low, centre, high := edge(b), edge(b+1), edge(b+2)
		height := func(k int) float64 {
			return max(0, min((float64(k)-low)/(centre-low), (high-float64(k))/(high-centre)))
		}
		sum := 0.0
		for k := 1; k < endBin; k++ {
			sum += height(k)
		}
		from := int(low) + 1
		for k := from; k < endBin && height(k) > 0; k++ {
			out[b].weight = append(out[b].weight, float32(height(k)/sum))
		}
		out[b].from = from
	}
	return out
}

// sum is the power in the band and floor: eight sums, each of every eighth bin, and those
// of neighbours added up.
func (b *band) sum(power *[points]float32) float32 {
	var s [beside]float32
	for i, w := range b.weight {
		s[i%beside] += float32(w * power[b.from+i])
	}
	return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])) + floor
}

// rootHalf is the bits of the root of 1/2.
const rootHalf = 0x3f3504f3

// ln is the natural logarithm to five digits, of positive normal numbers.
func ln(x float32) float32 {
	bits := math.Float32bits(x)
	exponent := int32(bits-rootHalf) >> 23
	m := math.Float32frombits(bits - uint32(exponent)<<23) // from the root of 1/2 to that of 2
	t := (m - 1) / (m + 1)
	q := float32(t * t)
	series := 2 + float32(q*(2.0/3+float32(q*(2.0/5+float32(q*(2.0/7))))))
	return float32(float32(exponent)*math.Ln2) + float32(t*series)
}
