package vad

import "golang.org/x/sys/cpu"

// highPass does the work of plainHighPass, to the last bit. It is in assembly, but for a
// processor without AVX2.
func highPass(to *filtered, x *[1 + FrameSamples]int16, f *fading) {
	if !cpu.X86.HasAVX2 {
		plainHighPass(to, x, f)
		return
	}
	vectorHighPass(to, x, f)
}

// vectorHighPass is plainHighPass in assembly. It needs AVX2.
//
//go:noescape
func vectorHighPass(to *filtered, x *[1 + FrameSamples]int16, f *fading)
