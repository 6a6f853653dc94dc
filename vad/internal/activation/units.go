package activation

// beside is the number of units of a vector.
const beside = 8

// Units moves the state h of gated recurrent units on: from what their gates sum up, and
// what the state adds to the candidate as far as it is not reset. It returns the product
// of the new state and out. All are as long: a multiple of eight.
func Units(h, reset, update, candidate, recall, out []float32) float32 {
	n := len(h)
	if n == 0 || n%beside != 0 {
		panic("activation: units are no multiple of eight")
	}
	return units(h, reset[:n], update[:n], candidate[:n], recall[:n], out[:n])
}

// plainUnits is units in plain Go. The product with out is eight sums, each of every
// eighth unit, and those of neighbours added up.
func plainUnits(h, reset, update, candidate, recall, out []float32) float32 {
	var s [beside]float32
	for i, was := range h {
		c := Tanh(candidate[i] + float32(Sigmoid(reset[i])*recall[i]))
		h[i] = c + float32(Sigmoid(update[i])*(was-c))
		s[i%beside] += float32(h[i] * out[i])
	}
	return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
}
