package messages

import (
	"net/http"
	"strconv"
	"strings"
)

// Unheard reports that an utterance in which speech was heard has no words, since every engine that
// had it returned none.
type Unheard struct {
	Utterance string   // its id
	From, To  float64  // where its speech lies, in seconds
	Engines   []string // those that had it, in order
}

// unheardException names the event of an unheard utterance.
const unheardException = "NothingRecognized"

// Text describes what happened, for the client.
func (u Unheard) Text() string {
	return spoken(u.Utterance, u.From, u.To) + " has no words: speech was heard, and nothing was recognized by " +
		strings.Join(u.Engines, ", ")
}

// Failure is the event that reports it. The session continues.
func (u Unheard) Failure() Failure {
	return Failure{AddonError{StatusCode: http.StatusBadGateway, Exception: unheardException, Message: u.Text()}}
}

// Untranscribed reports that an utterance has no words, since every engine that was asked has
// refused or lost it.
type Untranscribed struct {
	Utterance string  // its id
	From, To  float64 // where its speech lies, in seconds
}

// Text describes what happened, for the client.
func (u Untranscribed) Text() string {
	return spoken(u.Utterance, u.From, u.To) +
		" could not be transcribed: every engine that was asked has refused or lost it"
}

// Failure is the event that reports it. The session continues.
func (u Untranscribed) Failure() Failure {
	return Failure{AddonError{StatusCode: http.StatusBadGateway, Exception: "NotTranscribed", Message: u.Text()}}
}

// spoken names an utterance by its id and its times.
func spoken(id string, from, to float64) string {
	seconds := func(s float64) string { return strconv.FormatFloat(s, 'f', 2, 64) + " s" }
	return "utterance " + id + ", from " + seconds(from) + " to " + seconds(to) + ","
}

// UtteranceWarning is how results report an utterance without words, by the text of its event.
func UtteranceWarning(text string) Warning { return Warning{Field: "transcription", Message: text} }
