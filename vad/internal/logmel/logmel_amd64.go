package logmel

import "golang.org/x/sys/cpu"

// measure does the work of plainMeasure, to the last bit. It is in assembly, but for a
// processor without AVX2.
func (m *Meter) measure(window *[Samples]int16, out *[Bands]float32) {
	if !cpu.X86.HasAVX2 {
		m.plainMeasure(window, out)
		return
	}
	vectorTransform(&m.a, &m.b, window)
	vectorPowers(&m.power, &m.a, rotation)
	vectorBands(out, &m.power, octets)
}

// vectorTransform sets a to the transform of the weighed samples. b is scratch memory.
func vectorTransform(a, b *spectrum, samples *[winSize]int16) {
	firstPass(b, samples, window, factors)
	secondPass(a, b, secondFactors)
	thirdPass(b, a, thirdFactors)
	lastPass(a, b)
}

// The passes of transform in assembly. They need AVX2. secondPass wants the points that
// firstPass leaves: those of eight butterflies in the order first, fifth, second, sixth
// and so on, so that neither has to bring halves of registers together.
var (
	secondFactors = newSecondFactors()
	thirdFactors  = newThirdFactors()
)

func newSecondFactors() *[quarter / beside]twiddles {
	f := new([quarter / beside]twiddles)
	for i := range f {
		first := i/4*32 + i%4*4
		for lane := range 4 {
			f[i].set(lane, first)
			f[i].set(4+lane, first+16)
		}
	}
	return f
}

func newThirdFactors() *[4]twiddles {
	f := new([4]twiddles)
	for i := range f {
		for lane := range beside {
			f[i].set(lane, 16*i)
		}
	}
	return f
}

// firstPass weighs the samples before.
//
//go:noescape
func firstPass(to *spectrum, samples *[winSize]int16, window *spectrum, w *[quarter / beside]twiddles)

//go:noescape
func secondPass(to, from *spectrum, w *[quarter / beside]twiddles)

//go:noescape
func thirdPass(to, from *spectrum, w *[4]twiddles)

//go:noescape
func lastPass(to, from *spectrum)

// vectorPowers is powers in assembly. It needs AVX2.
//
//go:noescape
func vectorPowers(power *[points]float32, x *spectrum, r *rotations)

// octets are the bands, eight at a time.
var octets = newOctets()

// bandOctets is as long for each of eight bands as for the widest: zeros follow the weights
// of the others, and bins are read that do not count.
type bandOctets struct {
	octet [Bands / beside]struct {
		from   [beside]int // first bins
		groups int         // of eight bins
	}
	// weight is that of eight bins of a band, then of the octet's other bands, then of
	// the next bins, then of the next octet.
	weight [octetGroups][beside][beside]float32
}

const octetGroups = 1 + 2 + 3 + 5

func newOctets() *bandOctets {
	o := new(bandOctets)
	at := 0
	for i := range o.octet {
		octet, of := &o.octet[i], bands[beside*i:][:beside]
		for lane, b := range of {
			octet.from[lane] = b.from
			octet.groups = max(octet.groups, (len(b.weight)+beside-1)/beside)
			for k, v := range b.weight {
				o.weight[at+k/beside][lane][k%beside] = v
			}
		}
		at += octet.groups
	}
	return o
}

// vectorBands sets out to the logarithms of the bands' sums, in assembly. It needs AVX2.
//
//go:noescape
func vectorBands(out *[Bands]float32, power *[points]float32, o *bandOctets)
