package messages

import (
	"net/http"
	"strconv"
)

// Loss reports that audio may be missing from a recording although it was acknowledged to the
// client.
type Loss struct {
	From float64 // seconds: the recording is whole up to here
}

// lossException names the event of a loss.
const lossException = "AudioMissing"

// Text describes what happened, for the client.
func (l Loss) Text() string {
	return "audio and messages after " + strconv.FormatFloat(l.From, 'f', 3, 64) +
		" s may be missing: the store has lost the last seconds before its server was replaced"
}

// Failure returns the event that reports the loss. The session continues.
func (l Loss) Failure() Failure {
	return Failure{AddonError{StatusCode: http.StatusInternalServerError, Exception: lossException, Message: l.Text()}}
}

// LossWarning returns the warning of records and results about a loss, by its text.
func LossWarning(text string) Warning { return Warning{Field: "audio", Message: text} }
