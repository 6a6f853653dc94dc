package local

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Program is the name of steno's engine program.
const Program = "steno-engine"

// FindBinary returns the path of a program in the folder of the running one, or else in PATH. An
// empty name means [Program].
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

// inheritedVariables are the environment variables that the process inherits: those that programs,
// libraries and their threads need. Others may hold keys, which an engine must not see.
var inheritedVariables = []string{
	"PATH", "HOME", "TMPDIR", "USER", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
	"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "MALLOC_ARENA_MAX", "GLIBC_TUNABLES",
	"GOMAXPROCS", "GOMEMLIMIT", "GOGC", "GODEBUG", "GOTRACEBACK", "GORACE", "GOCOVERDIR",
}

// inheritedPrefixes are the beginnings of further names of inherited variables.
var inheritedPrefixes = []string{"LC_", "OMP_", "GOMP_", "KMP_", "ORT_", "MKL_", "OPENBLAS_"}

// tunables has the C library share its memory among threads and return much of it to the system: a
// neural model's intermediate results are large, of many sizes and short-lived. Moonshine with ten
// speakers holds 389 MB with it, 481 without; 341, but slower, with thresholds of 1 and 4 MiB.
// Other C libraries ignore it.
const tunables = "GLIBC_TUNABLES=glibc.malloc.arena_max=2:" +
	"glibc.malloc.mmap_threshold=16777216:glibc.malloc.trim_threshold=33554432"

// environment returns the variables that the process inherits, of which the last with a name
// counts.
func environment() []string {
	list := []string{tunables}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		family := slices.ContainsFunc(inheritedPrefixes, func(start string) bool {
			return strings.HasPrefix(name,
				start)
		})
		if family || slices.Contains(inheritedVariables, name) {
			list = append(list, variable)
		}
	}
	return list
}
