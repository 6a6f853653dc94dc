//go:build !linux

package main

import "syscall"

func attributes() *syscall.SysProcAttr { return nil }

// limit bounds nothing: there are no models to be tried on these systems.
func limit([]string) error { return nil }
