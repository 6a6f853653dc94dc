package vad

import "math"

// matrix has its rows in blocks: the numbers of a column of a block lie side by side. The
// last block is filled up with rows of zeros.
type matrix struct {
	columns int
	weight  []float32
	bias    []float32
}

const block = 48

// blocks is the number of rows of the whole blocks that so many rows take.
func blocks(rows int) int { return (rows + block - 1) / block * block }

// scratch is memory for so many rows, in whole blocks.
func scratch(rows int) []float32 { return make([]float32, blocks(rows)) }

func newMatrix(rows [][]float32, bias []float32) matrix {
	m := matrix{columns: len(rows[0]), bias: scratch(len(rows))}
	m.weight = make([]float32, len(m.bias)*m.columns)
	copy(m.bias, bias)
	for r, row := range rows {
		for c, v := range row {
			m.weight[(r/block*m.columns+c)*block+r%block] = v
		}
	}
	return m
}

// newGates is the matrix of as many rows for each of so many gates, those of each gate in
// blocks of its own.
func newGates(gates int, rows [][]float32, bias []float32) matrix {
	m := matrix{columns: len(rows[0])}
	for n := len(rows) / gates; len(rows) > 0; rows, bias = rows[n:], bias[n:] {
		gate := newMatrix(rows[:n], bias[:n])
		m.weight, m.bias = append(m.weight, gate.weight...), append(m.bias, gate.bias...)
	}
	return m
}

// unlimited is a limit to products that changes none.
var unlimited = float32(math.Inf(-1))

// apply sets y, whole blocks, to the product with x plus `plus`, or to least where that is more.
// The sum of each row is taken from its first column to its last, each product and sum rounded
// separately: so it is the same on every machine. plus may be y.
func (m *matrix) apply(y, x, plus []float32, least float32) {
	x = x[:m.columns]
	for w, i := m.weight, 0; len(w) > 0; w, i = w[block*len(x):], i+block {
		product((*[block]float32)(y[i:]), w, x, (*[block]float32)(plus[i:]), least)
	}
}

// plainProduct sets y to the product of a block and x plus `plus`, or to least.
func plainProduct(y *[block]float32, w, x []float32, plus *[block]float32, least float32) {
	for part := 0; part < block; part += 4 {
		var a0, a1, a2, a3 float32
		rest := w[part:]
		for c, v := range x {
			if c > 0 {
				rest = rest[block:]
			}
			q := (*[4]float32)(rest)
			a0 += float32(q[0] * v)
			a1 += float32(q[1] * v)
			a2 += float32(q[2] * v)
			a3 += float32(q[3] * v)
		}
		for i, a := range [4]float32{a0, a1, a2, a3} {
			y[part+i] = max(a+plus[part+i], least)
		}
	}
}
