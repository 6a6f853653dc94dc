package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// runMain, in the environment of the test program, has it be the command itself.
const runMain = "STENO_TEST_LOADTEST"

func TestMain(m *testing.M) {
	if os.Getenv(runMain) != "" {
		main()
	}
	m.Run()
}

// TestSignals interrupts the command while it ends its sessions on a server that does not answer.
func TestSignals(t *testing.T) {
	asked := make(chan string, 2)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodPost:
			fmt.Fprintf(w, `{"id":"one","url":"ws://%s/v2/live?token=one"}`, r.Host)
			asked <- r.Method
		case http.MethodDelete:
			asked <- r.Method
			<-r.Context().Done()
		}
	}))
	defer s.Close()
	cmd := exec.Command(os.Args[0], "--url", s.URL, "--duration", "60s", "--generate", "tone")
	cmd.Env = append(os.Environ(), runMain+"=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	signal := func(after string) {
		if got := <-asked; got != after {
			t.Errorf("the command asked for %s, not %s", got, after)
		}
		_ = cmd.Process.Signal(os.Interrupt) // it may have ended
	}
	signal(http.MethodPost)
	signal(http.MethodDelete)
	for repeat := time.NewTicker(100 * time.Millisecond); ; {
		select {
		case <-ended:
			repeat.Stop()
			if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() {
				t.Errorf("the second signal did not end the command: %v", cmd.ProcessState)
			}
			return
		case <-repeat.C:
			_ = cmd.Process.Signal(os.Interrupt) // the first one may not have been taken in yet
		}
	}
}
