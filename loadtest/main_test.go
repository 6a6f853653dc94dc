package loadtest

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"steno/loadtest/reference"
)

// serveReference, in the environment of the test program, has it serve the reference server until
// its input is closed. Its value is the time that the server's worker takes for a frame.
const serveReference = "STENO_TEST_REFERENCE"

func TestMain(m *testing.M) {
	if value := os.Getenv(serveReference); value != "" {
		service, err := time.ParseDuration(value)
		if err != nil {
			panic(err)
		}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			panic(err)
		}
		fmt.Printf("http://%s\n", listener.Addr())
		go func() { panic(http.Serve(listener, reference.New(reference.Config{Service: service}))) }()
		_, _ = os.Stdin.Read(make([]byte, 1))
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// referenceProcess starts the reference server in a process of its own and returns its address.
func referenceProcess(tb testing.TB, service string) string {
	tb.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serveReference+"="+service)
	in, err := cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		tb.Fatal(err)
	}
	return strings.TrimSpace(address)
}
