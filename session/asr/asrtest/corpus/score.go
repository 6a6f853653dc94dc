package corpus

// Score counts word errors.
type Score struct{ Words, Errors int }

// Add returns the sum of two scores.
func (s Score) Add(o Score) Score { return Score{s.Words + o.Words, s.Errors + o.Errors} }

// WER returns the word error rate: errors per spoken word.
func (s Score) WER() float64 { return float64(s.Errors) / float64(max(s.Words, 1)) }

// Align finds the fewest substitutions, deletions and insertions between the spoken and the recognized words
// (Levenshtein 1966), and which of the recognized words are right.
func Align(spoken, recognized []string) (s Score, right []bool) {
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
	right = make([]bool, len(recognized))
	for i, j := len(spoken), len(recognized); i > 0 && j > 0; {
		switch {
		case cost[i][j] == cost[i-1][j-1]+unequal(spoken[i-1], recognized[j-1]):
			i, j = i-1, j-1
			right[j] = spoken[i] == recognized[j]
		case cost[i][j] == cost[i-1][j]+1:
			i--
		default:
			j--
		}
	}
	return Score{len(spoken), cost[len(spoken)][len(recognized)]}, right
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

// AUC returns the probability that a right word has a higher confidence than a wrong one, ties counting half: the area
// under the ROC curve (Mann & Whitney 1947).
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
