package valkeytest

import (
	"errors"
	"testing"
)

// TestPort wants a server whose port another one has to be noticed, though that one answers.
func TestPort(t *testing.T) {
	first, second := Start(t), Start(t)
	second.Kill()
	second.port = first.port
	if err := second.launch(); !errors.Is(err, errPort) {
		t.Errorf("launched on a port that is taken: %v", err)
	}
	first.Must("PING")
}
