package corpus

// Score counts word errors.
type Score struct{ Words, Errors int }

// Add returns the sum of two scores.
func (s Score) Add(o Score) Score { return Score{s.Words + o.Words, s.Errors + o.Errors} }

// WER returns the word error rate: errors per spoken word.
func (s Score) WER() float64 { return float64(s.Errors) / float64(max(s.Words, 1)) }

// Align finds the fewest substitutions, deletions and insertions between the spoken and the
// recognized words (Levenshtein 1966), and which of the recognized words are right.
func Align(spoken, recognized []string) (s Score, right []bool) {
	pairs, errors := align(spoken, recognized, false)
	right = make([]bool, len(recognized))
	for j, i := range pairs {
		right[j] = i >= 0
	}
	return Score{len(spoken), errors}, right
}

// Pairs returns, for each of the recognized words, the index of the spoken word that it is; -1: it
// is wrong.
func Pairs(spoken, recognized []string) []int {
	pairs, _ := align(spoken, recognized, false)
	return pairs
}

// Standing counts the words of a partial that stand in the final at their place, the partial being
// the beginning of the final that is most like it.
func Standing(final, partial []string) (n int) {
	pairs, _ := align(final, partial, true)
	for _, i := range pairs {
		if i >= 0 {
			n++
		}
	}
	return n
}

// align returns the pairs and the number of errors; with prefix those of the beginning of the
// spoken words with the fewest.
func align(spoken, recognized []string, prefix bool) (pairs []int, errors int) {
	cost := distances(spoken, recognized)
	i, j := len(spoken), len(recognized)
	for k := range spoken {
		if prefix && cost[k][j] < cost[i][j] {
			i = k
		}
	}
	errors = cost[i][j]
	pairs = make([]int, j)
	for k := range pairs {
		pairs[k] = -1
	}
	for i > 0 && j > 0 {
		switch {
		case cost[i][j] == cost[i-1][j-1]+unequal(spoken[i-1], recognized[j-1]):
			i, j = i-1, j-1
			if spoken[i] == recognized[j] {
				pairs[j] = i
			}
		case cost[i][j] == cost[i-1][j]+1:
			i--
		default:
			j--
		}
	}
	return pairs, errors
}

// distances returns the fewest errors between each beginning of the spoken and each of the
// recognized words.
func distances(spoken, recognized []string) [][]int {
	cost := make([][]int, len(spoken)+1)
	for i := range cost {
		cost[i] = make([]int, len(recognized)+1)
		for j := range cost[i] {
			switch {
			case i == 0:
				cost[i][j] = j
			case j == 0:
				cost[i][j] = i
			default:
				cost[i][j] = min(cost[i-1][j-1]+unequal(spoken[i-1], recognized[j-1]), cost[i-1][j]+1, cost[i][j-1]+1)
			}
		}
	}
	return cost
}

func unequal(a, b string) int {
	if a == b {
		return 0
	}
	return 1
}

// Judged is a recognized word: its confidence, and whether it is right.
type Judged struct {
	Confidence float64
	Right      bool
}

// AUC returns the probability that a right word has a higher confidence than a wrong one, ties
// counting half: the area under the ROC curve (Mann & Whitney 1947).
func AUC(words []Judged) float64 {
	var sum, pairs float64
	for _, r := range words {
		for _, w := range words {
			if !r.Right || w.Right {
				continue
			}
			pairs++
			switch {
			case r.Confidence > w.Confidence:
				sum++
			case r.Confidence == w.Confidence:
				sum += 0.5
			}
		}
	}
	return sum / max(pairs, 1)
}
