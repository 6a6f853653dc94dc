package doctor

import (
	"testing"

	"go.uber.org/goleak"

	"steno/audio/process/confine"
	"steno/cmd/cmdtest"
)

func TestMain(m *testing.M) {
	confine.Enter()
	goleak.VerifyTestMain(cmdtest.M{M: m})
}
