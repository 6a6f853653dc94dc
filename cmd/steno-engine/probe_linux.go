package main

import (
	"fmt"
	"syscall"
)

// limit bounds what a trial of the models in the folders can take: five minutes of computing, eight
// gigabytes of address space and five times as much as the models (a gigabyte of them takes two or
// three when it is loaded), no file larger than a megabyte, no core.
func limit(dirs []string) error {
	space := uint64(8 << 30)
	for _, dir := range dirs {
		space += 5 * uint64(size(dir))
	}
	for resource, most := range map[int]uint64{
		syscall.RLIMIT_CPU: 300, syscall.RLIMIT_AS: space, syscall.RLIMIT_FSIZE: 1 << 20, syscall.RLIMIT_CORE: 0,
	} {
		var now syscall.Rlimit
		if err := syscall.Getrlimit(resource, &now); err != nil {
			return fmt.Errorf("limit a trial: %w", err)
		}
		most = min(most, now.Max)
		if err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("limit a trial: %w", err)
		}
	}
	return nil
}
