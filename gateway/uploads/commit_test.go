package uploads

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"steno/audio/media"
	"steno/messages"
)

func TestCleanName(t *testing.T) {
	for name, want := range map[string]string{
		"a.wav": "a.wav", "a\nb\x00.wav": "ab.wav", "a\xff.wav": "a.wav", "": "",
		strings.Repeat("a", 300): strings.Repeat("a", 255), strings.Repeat("é", 200): strings.Repeat("é", 127),
	} {
		if got := cleanName(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

// Clients see the decoder's reason, and never the text of an unknown error.
func TestRecordingProblem(t *testing.T) {
	for err, want := range map[error]messages.Problem{
		fmt.Errorf("x: %w", &media.Error{Reason: media.Unsupported, Message: "no audio"}): {Status: 415,
			Message: "no audio"},
		&media.Error{Reason: media.TooLong, Message: "long"}: {Status: 413,
			Message: "long"},
		&media.Error{Reason: media.Damaged, Message: "damaged"}: {Status: 422,
			Message: "damaged"},
		&media.Error{Reason: media.TooSlow, Message: "slow"}: {Status: 408,
			Message: "slow"},
		&media.Error{Message: "failed"}: {Status: 500,
			Message: "failed"},
		&messages.Problem{Status: 404, Message: "gone"}: {Status: 404,
			Message: "gone"},
		syscall.ENOSPC:       {Status: 507, Message: "no space left to keep the recording"},
		errors.New("secret"): {Status: 500, Message: "internal error"},
	} {
		if got := RecordingProblem(err); got.Status != want.Status || got.Message != want.Message {
			t.Errorf("%v: %+v", err, got)
		}
	}
}
