package messages

import (
	"net/http"
	"strconv"
)

// Loss says that audio may be missing from a recording although its client was told that it is kept.
type Loss struct {
	From float64 // seconds: the recording is whole up to here
}

// lossException names the event of a loss.
const lossException = "AudioMissing"

// Text says what happened, for the client.
func (l Loss) Text() string {
	return "audio and messages after " + strconv.FormatFloat(l.From, 'f', 3, 64) +
		" s may be missing: the store has lost the last seconds before its server was replaced"
}

// Failure is the event that tells of the loss. The session goes on.
func (l Loss) Failure() Failure {
	return Failure{AddonError{StatusCode: http.StatusInternalServerError, Exception: lossException, Message: l.Text()}}
}

// LossWarning is how records and results tell of a loss, by its text.
func LossWarning(text string) Warning { return Warning{Field: "audio", Message: text} }
