package local

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Program is the name of steno's engine program.
const Program = "steno-engine"

// FindBinary returns the path of a program that lies beside the running one, or else in PATH. An empty name means
// [Program].
func FindBinary(name string) (string, error) {
	if name == "" {
		name = Program
	}
	if self, err := os.Executable(); err == nil {
		if self, err = filepath.EvalSymlinks(self); err == nil {
			if path, err := exec.LookPath(filepath.Join(filepath.Dir(self), name)); err == nil {
				return path, nil
			}
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("find engine program beside this one or in PATH: %w", err)
	}
	return filepath.Abs(path)
}
