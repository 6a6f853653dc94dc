package endtoend_test

import (
	"testing"

	"go.uber.org/goleak"

	"steno/cmd/cmdtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(cmdtest.M{M: m}) }
