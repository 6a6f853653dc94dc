package terminal

import (
	"errors"
	"testing"
)

// Errors that were joined, or have lines, are one sentence.
func TestOneLine(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.Join(errors.New("engine a is away"), errors.New("engine b  has no model")),
			"engine a is away; engine b has no model"},
		{errors.New("ffmpeg failed:\n\tno such file.\n\n"), "ffmpeg failed: no such file."},
	} {
		if got := OneLine(c.err); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
