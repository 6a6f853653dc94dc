//go:build !linux || !(amd64 || arm64)

package confine

import "errors"

// Enter has nothing to do.
func Enter() {}

// Command returns nothing that could be run: there is no Landlock on this system.
func Command(_ Rights, _ ...string) (path string, args []string) {
	return "/nonexistent/landlock", []string{"landlock"}
}

// Supported returns that programs cannot be confined on this system.
func Supported() error { return errors.New("this system has no Landlock") }
