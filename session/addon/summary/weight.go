package summary

import "math"

const (
	// longest is the number of words above which a sentence loses value with its length.
	longest = 30
	// telling is the number of content words at which a sentence has half its value.
	telling = 3
	// asking is the factor for questions, whose answers are more informative.
	asking = 0.5
	// announcing is the factor for sentences that state a decision, a task or something important.
	announcing = 2.2
)

// weight returns the value of a sentence alone, without regard to the others.
func weight(words []string, content int, language string) float64 {
	w := float64(content) / float64(content+telling)
	if len(words) > longest {
		w *= float64(longest) / float64(len(words))
	}
	if asks(words, language) {
		w *= asking
	}
	if english(language) && announces(words) {
		w *= announcing
	}
	return w
}

// place returns the factor for sentence i of n: subjects are named at the beginning of a talk,
// decisions at its end.
func place(i, n int) float64 {
	span := 0.05*float64(n) + 1
	return 1 + 0.3*math.Exp(-float64(i)/span) + 0.1*math.Exp(-float64(n-1-i)/span)
}

func announces(words []string) bool {
	for _, w := range words {
		switch plain(w) {
		case "agree", "agreed", "decide", "decided", "decision", "important", "deadline", "result", "results",
			"summary", "conclusion",
			"reason", "propose", "proposed", "suggest":
			return true
		}
	}
	return false
}
