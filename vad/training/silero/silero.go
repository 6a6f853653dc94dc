// Package silero computes the voice activity detector Silero VAD, version 5 at 16 kHz,
// from its ONNX file: the teacher of the project's own detector and a row to compare it
// with. https://github.com/snakers4/silero-vad, MIT licence.
package silero

import (
	"fmt"
	"math"

	"steno/vad/training/matrix"
)

const (
	// Chunk is the number of samples per probability.
	Chunk = 512

	context = 64 // samples before a chunk that are seen with it
	reflect = 64 // samples mirrored after it
	window  = 256
	hop     = 128
	bins    = 129
	frames  = (context+Chunk+reflect-window)/hop + 1 // 4
	units   = 128
	batch   = 64 // chunks computed side by side
)

// File is where the model lies in a folder of models.
const File = "silero-vad/silero_vad_16k_op15.onnx"

// Model is the network. It is not changed by use.
type Model struct {
	stft         []float32 // 2*bins x window
	layers       [4]layer
	input, state []float32 // 4*units x units
	bias         []float32 // 4*units
	out          []float32
	offset       float32
}

// layer is a convolution over time with three taps, one frame of padding and a ReLU.
type layer struct {
	in, out, stride int
	weight          []float32 // out x 3*in, the tap being the slower index
	bias            []float32
}

// Open reads the model from the file silero_vad_16k_op15.onnx of the project.
func Open(path string) (*Model, error) {
	t, err := readTensors(path)
	if err != nil {
		return nil, err
	}
	m := new(Model)
	get := func(name string, size int) []float32 {
		v := t["model."+name]
		if len(v.data) != size && err == nil {
			err = fmt.Errorf("%s: %s has %d elements, not %d: is this Silero VAD 5 for 16 kHz?", path, name,
				len(v.data), size)
		}
		return v.data
	}
	m.stft = get("stft.forward_basis_buffer", 2*bins*window)
	in := bins
	for i, shape := range [4][2]int{{128, 1}, {64, 2}, {64, 2}, {128, 1}} {
		name := fmt.Sprintf("encoder.%d.reparam_conv.", i)
		l := layer{in: in, out: shape[0], stride: shape[1], bias: get(name+"bias", shape[0])}
		if w := get(name+"weight", shape[0]*in*3); err == nil {
			l.arrange(w)
		}
		m.layers[i], in = l, shape[0]
	}
	m.input = get("decoder.rnn.weight_ih", 4*units*units)
	m.state = get("decoder.rnn.weight_hh", 4*units*units)
	a, b := get("decoder.rnn.bias_ih", 4*units), get("decoder.rnn.bias_hh", 4*units)
	m.out = get("decoder.decoder.2.weight", units)
	offset := get("decoder.decoder.2.bias", 1)
	if err != nil {
		return nil, err
	}
	m.offset = offset[0]
	for i := range a {
		m.bias = append(m.bias, a[i]+b[i])
	}
	return m, nil
}

// arrange orders weights out x in x 3 as out x 3 x in.
func (l *layer) arrange(w []float32) {
	l.weight = make([]float32, len(w))
	for o := range l.out {
		for i := range l.in {
			for k := range 3 {
				l.weight[(o*3+k)*l.in+i] = w[(o*l.in+i)*3+k]
			}
		}
	}
}

// Probabilities of speech of each whole chunk of 16-kHz samples of full scale 1.
func (m *Model) Probabilities(x []float32) []float32 {
	chunks := len(x) / Chunk
	padded := append(make([]float32, context), x[:chunks*Chunk]...)
	var out []float32
	d := decoder{m: m}
	for at := 0; at < chunks; at += batch {
		n := min(batch, chunks-at)
		encoded := m.encode(padded[at*Chunk:], n)
		for i := range n {
			out = append(out, d.step(encoded, i))
		}
	}
	return out
}

// encode returns units x batch: a column for each of the n chunks whose first context
// begins x.
func (m *Model) encode(x []float32, n int) []float32 {
	framed := make([]float32, window*frames*batch) // column: frame*batch + chunk
	var chunk [context + Chunk + reflect]float32
	for i := range n {
		copy(chunk[:], x[i*Chunk:i*Chunk+context+Chunk])
		for k := range reflect {
			chunk[context+Chunk+k] = chunk[context+Chunk-2-k]
		}
		for f := range frames {
			for s := range window {
				framed[s*frames*batch+f*batch+i] = chunk[f*hop+s]
			}
		}
	}
	spectrum := make([]float32, 2*bins*frames*batch)
	matrix.MulAdd(spectrum, m.stft, framed, 2*bins, window, frames*batch)
	y := make([]float32, bins*frames*batch)
	for i := range y {
		re, im := spectrum[i], spectrum[bins*frames*batch+i]
		y[i] = float32(math.Sqrt(float64(re*re + im*im)))
	}
	steps := frames
	for i := range m.layers {
		y, steps = m.layers[i].run(y, steps)
	}
	return y
}

// run takes in x steps*batch and returns out x shorter*batch.
func (l *layer) run(x []float32, steps int) (out []float32, shorter int) {
	shorter = (steps-1)/l.stride + 1
	columns := shorter * batch
	taps := make([]float32, 3*l.in*columns)
	for k := range 3 {
		for s := range shorter {
			from := s*l.stride + k - 1
			if from < 0 || from >= steps {
				continue
			}
			for i := range l.in {
				copy(taps[(k*l.in+i)*columns+s*batch:][:batch], x[i*steps*batch+from*batch:])
			}
		}
	}
	out = make([]float32, l.out*columns)
	for o, v := range l.bias {
		row := out[o*columns : (o+1)*columns]
		for i := range row {
			row[i] = v
		}
	}
	matrix.MulAdd(out, l.weight, taps, l.out, 3*l.in, columns)
	for i, v := range out {
		out[i] = max(v, 0)
	}
	return out, shorter
}

// decoder is the LSTM cell and the last layer.
type decoder struct {
	m    *Model
	h, c [units]float32
}

func (d *decoder) step(encoded []float32, column int) float32 {
	var x [units]float32
	for i := range x {
		x[i] = encoded[i*batch+column]
	}
	gate := func(r int) float64 {
		sum := d.m.bias[r]
		sum += dot(d.m.input[r*units:(r+1)*units], x[:]) + dot(d.m.state[r*units:(r+1)*units], d.h[:])
		return float64(sum)
	}
	var h [units]float32
	z := d.m.offset
	for i := range h {
		in, forget, cell, out := gate(i), gate(units+i), gate(2*units+i), gate(3*units+i)
		d.c[i] = float32(sigmoid(forget)*float64(d.c[i]) + sigmoid(in)*math.Tanh(cell))
		h[i] = float32(sigmoid(out) * math.Tanh(float64(d.c[i])))
		z += max(h[i], 0) * d.m.out[i]
	}
	d.h = h
	return float32(sigmoid(float64(z)))
}

func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	for i := 0; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	return s0 + s1 + s2 + s3
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
