package sentences

import "steno/messages"

// Display puts what was said into reading order, and tells each turn as a line.
func Display(us []messages.Utterance) (turns []messages.Utterance, lines []string) {
	for _, u := range us {
		turns, lines = append(turns, u), append(lines, u.Text)
	}
	return turns, lines
}
