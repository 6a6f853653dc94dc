package vad

// matrix has its rows in blocks: the numbers of a column of a block lie side by side. The
// last block is filled up with rows of zeros.
type matrix struct {
	columns int
	weight  []float32
	bias    []float32
}

const block = 16

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

// apply sets y, whole blocks, to the product with x plus the bias. The sum of each row is
// taken from its first column to its last, each product and sum rounded by itself: so it
// is the same on every machine.
func (m *matrix) apply(y, x []float32) {
	products(y[:len(m.bias)], m.weight, x[:m.columns])
	for i, b := range m.bias {
		y[i] += b
	}
}

// plainProducts sets y to the products of as many blocks and x.
func plainProducts(y, w, x []float32) {
	for ; len(y) > 0; y, w = y[block:], w[block*len(x):] {
		plainProduct((*[block]float32)(y), w, x)
	}
}

// plainProduct sets y to the product of a block and x.
func plainProduct(y *[block]float32, w, x []float32) {
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
		y[part], y[part+1], y[part+2], y[part+3] = a0, a1, a2, a3
	}
}
