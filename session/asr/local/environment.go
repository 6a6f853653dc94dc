package local

import (
	"os"
	"slices"
	"strings"
)

// passed are the variables that the process is given of this one's: what programs, libraries and their threads need. The
// others may hold keys, which are nothing an engine should see.
var passed = []string{
	"PATH", "HOME", "TMPDIR", "USER", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
	"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "MALLOC_ARENA_MAX", "GLIBC_TUNABLES",
	"GOMAXPROCS", "GOMEMLIMIT", "GOGC", "GODEBUG", "GOTRACEBACK", "GORACE", "GOCOVERDIR",
}

// passedFamilies are beginnings of further names.
var passedFamilies = []string{"LC_", "OMP_", "GOMP_", "KMP_", "ORT_", "MKL_", "OPENBLAS_"}

// environment is what the process is given of this one's.
func environment() []string {
	list := []string{} // never nil: that would stand for everything
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		family := slices.ContainsFunc(passedFamilies, func(start string) bool { return strings.HasPrefix(name, start) })
		if family || slices.Contains(passed, name) {
			list = append(list, variable)
		}
	}
	return list
}
