//go:build !linux

package embedded

import (
	"errors"
	"os"
)

func takeRoom(*os.File, int64) error { return errors.ErrUnsupported }
