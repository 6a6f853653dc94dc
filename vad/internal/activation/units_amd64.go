package activation

import "golang.org/x/sys/cpu"

// units does the work of plainUnits, to the last bit. It is in assembly, but for a
// processor without AVX2.
func units(h, reset, update, candidate, recall, out []float32) float32 {
	if !cpu.X86.HasAVX2 {
		return plainUnits(h, reset, update, candidate, recall, out)
	}
	return vectorUnits(&h[0], &reset[0], &update[0], &candidate[0], &recall[0], &out[0], len(h)/beside)
}

// vectorUnits is plainUnits in assembly, of so many times eight units, at least once. It needs
// AVX2.
//
//go:noescape
func vectorUnits(h, reset, update, candidate, recall, out *float32, eights int) float32
