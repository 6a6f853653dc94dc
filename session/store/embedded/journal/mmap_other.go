//go:build !linux

package journal

import (
	"errors"
	"os"
)

// canMap knows no file system of which that is sure.
func canMap(*os.File) bool { return false }

func mapPart(*os.File, int64, int) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmap([]byte) error { return nil }
