package main

import (
	"testing"

	"go.uber.org/goleak"

	"steno/audio/media/confine"
)

func TestMain(m *testing.M) {
	confine.Enter()
	goleak.VerifyTestMain(m)
}
