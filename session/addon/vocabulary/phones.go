package vocabulary

// Phones are written a letter each. Vowels: i (beat) I (bit) e (bait) E (bet) a (bat) @ (but, about) A (father) O (law)
// o (boat) U (book) u (boot) Y (buy) W (now) X (boy). Consonants: p b t d k g f v s z m n l r w y h as written, T (thin)
// D (then) S (she) Z (measure) C (church) J (judge) N (sing). Letters of other scripts stand for themselves.

// costs tells how far phones are apart.
type costs struct {
	change [128][128]float32 // of one for another
	loss   [128]float32      // of one for none, and of none for one
}

const vowels = "iIeEa@AOoUuYWX"

// alike lists phones that are taken for each other, and the cost of it. A pair named twice has the lower cost.
var alike = []struct {
	phones string
	cost   float32
}{
	{"iI", .15}, {"IE", .2}, {"eE", .2}, {"Ea", .2}, {"a@", .2}, {"@A", .2}, {"AO", .1}, {"Oo", .2}, {"oU", .25}, {"Uu", .15},
	{"@I", .15}, {"@E", .2}, {"@U", .15}, {"@O", .25}, {"@o", .3}, {"@e", .35}, {"@i", .3}, {"@u", .3}, {"AY", .25}, {"AW", .25}, {"aW", .25},
	{"OX", .25}, {"oW", .3}, {"eY", .3}, {"aA", .25}, {"ei", .3}, {"ie", .3}, {"ae", .3},
	{"pb", .3}, {"td", .25}, {"kg", .3}, {"fv", .3}, {"sz", .15}, {"SZ", .25}, {"CJ", .3}, {"TD", .25},
	{"ptk", .6}, {"bdg", .6}, {"fT", .35}, {"vD", .4}, {"sT", .45}, {"sS", .4}, {"zZ", .45}, {"SC", .35}, {"ZJ", .3}, {"SJ", .5}, {"zJ", .6},
	{"tC", .45}, {"dJ", .45}, {"tT", .5}, {"dD", .3}, {"sC", .55}, {"fs", .6}, {"fp", .55}, {"bv", .45}, {"vw", .5}, {"kt", .55}, {"kC", .65},
	{"mn", .4}, {"nN", .25}, {"mN", .5}, {"lr", .5}, {"lw", .5}, {"rw", .5}, {"nd", .6}, {"mb", .6}, {"nl", .6}, {"yi", .2}, {"yI", .25}, {"wu", .2}, {"wU", .25}, {"wo", .4},
	{"hk", .75}, {"hf", .7}, {"vf", .3}, {"ts", .6}, {"tf", .75}, {"gy", .7}, {"lO", .5}, {"lo", .5}, {"rA", .55}, {"r@", .4}, {"lU", .5},
}

func newCosts() *costs {
	c := &costs{}
	for a := range c.change {
		c.loss[a] = .9
		for b := range c.change {
			if a != b {
				c.change[a][b] = 1
			}
		}
	}
	for _, a := range vowels {
		c.loss[a] = .55
		for _, b := range vowels {
			if a != b {
				c.change[a][b] = .45
			}
		}
	}
	for phone, cost := range map[byte]float32{'@': .35, 'I': .4, 'h': .4, 'y': .3, 'w': .6, 'r': .6, 't': .7, 'd': .7, 'l': .7, 'n': .75} {
		c.loss[phone] = cost
	}
	for _, group := range alike {
		for _, a := range group.phones {
			for _, b := range group.phones {
				if a != b {
					c.change[a][b] = min(c.change[a][b], group.cost)
				}
			}
		}
	}
	return c
}

func (c *costs) swap(a, b rune) float32 {
	switch {
	case a == b:
		return 0
	case a < 128 && b < 128:
		return c.change[a][b]
	default:
		return 1
	}
}

func (c *costs) lose(a rune) float32 {
	if a < 128 {
		return c.loss[a]
	}
	return .9
}

// weight is the cost of losing all.
func (c *costs) weight(phones []rune) float32 {
	var sum float32
	for _, p := range phones {
		sum += c.lose(p)
	}
	return sum
}

// distance is the least cost of making b out of a by changes and losses (Wagner and Fischer 1974), or something above
// limit where it is above. row is scratch, at least as long as b and one more.
func (c *costs) distance(a, b []rune, limit float32, row []float32) float32 {
	row = row[:len(b)+1]
	row[0] = 0
	for j, p := range b {
		row[j+1] = row[j] + c.lose(p)
	}
	for _, p := range a {
		before, lost := row[0], c.lose(p)
		row[0] += lost
		least := row[0]
		for j, q := range b {
			cost := min(before+c.swap(p, q), row[j+1]+lost, row[j]+c.lose(q))
			before, row[j+1] = row[j+1], cost
			least = min(least, cost)
		}
		if least > limit {
			return least
		}
	}
	return row[len(b)]
}
