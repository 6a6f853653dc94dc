package models

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// What a copy of the test program does instead of the tests, so that there is a process to kill or
// to limit.
const (
	helperDir     = "MODELS_TEST_DIR" // where it installs; without it the tests run
	helperAddress = "MODELS_TEST_ADDRESS"
	helperSum     = "MODELS_TEST_SUM"
	helperStop    = "MODELS_TEST_STOP"  // the stage at which it reports so and stops
	helperLimit   = "MODELS_TEST_LIMIT" // bytes that a file may have
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(helperDir); dir != "" {
		if err := help(dir); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// help installs a model as a process of its own.
func help(dir string) error {
	if text := os.Getenv(helperLimit); text != "" {
		var limit syscall.Rlimit
		if _, err := fmt.Sscan(text, &limit.Cur); err != nil {
			return err
		}
		limit.Max = limit.Cur
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			return err
		}
	}
	e := Entry{Name: "m", Address: os.Getenv(helperAddress), SHA256: os.Getenv(helperSum)}
	_, err := Install(context.Background(), e, dir, Options{Progress: func(s Stage, done, _ int64) {
		if string(s) == os.Getenv(helperStop) && done > 0 {
			fmt.Println("there")
			select {}
		}
	}})
	return err
}
