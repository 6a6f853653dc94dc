//go:build !amd64

package vad

func highPass(to *filtered, x *[1 + FrameSamples]int16, f *fading) { plainHighPass(to, x, f) }
