package summary

import "math"

const (
	// longest is how many words a sentence may have before its length counts against it.
	longest = 30
	// telling is the number of content words at which a sentence has half its worth.
	telling = 3
	// asking is what a question is worth: its answer says more.
	asking = 0.5
	// announcing is what a sentence is worth that says what was agreed, is to be done, or matters.
	announcing = 2.2
)

// weight is what a sentence is worth by itself.
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

// place is what the place in the talk is worth: subjects come at its beginning, decisions at its end.
func place(i, n int) float64 {
	span := 0.05*float64(n) + 1
	return 1 + 0.3*math.Exp(-float64(i)/span) + 0.1*math.Exp(-float64(n-1-i)/span)
}

func announces(words []string) bool {
	for _, w := range words {
		switch plain(w) {
		case "agree", "agreed", "decide", "decided", "decision", "important", "deadline", "result", "results", "summary", "conclusion",
			"reason", "propose", "proposed", "suggest":
			return true
		}
	}
	return false
}
