package messages

import (
	"net/http"
	"strconv"
	"strings"
)

// Unheard says that an utterance in which speech was heard has no words, since every engine that had it answered nothing.
type Unheard struct {
	Utterance string   // its id
	Engines   []string // those that had it, in order
}

// unheardException names the event of an unheard utterance.
const unheardException = "NothingRecognized"

// Text says what happened, for the client.
func (u Unheard) Text() string {
	return "utterance " + u.Utterance + " has no words: speech was heard, and nothing was recognized by " + strings.Join(u.Engines, ", ")
}

// Failure is the event that reports it. The session continues.
func (u Unheard) Failure() Failure {
	return Failure{AddonError{StatusCode: http.StatusBadGateway, Exception: unheardException, Message: u.Text()}}
}

// UnheardWarning is how results report utterances without words: the text of the first, and how many there are.
func UnheardWarning(first string, count int) Warning {
	if count > 1 {
		first += "; so it was with " + strconv.Itoa(count-1) + " more"
	}
	return Warning{Field: "transcription", Message: first}
}
