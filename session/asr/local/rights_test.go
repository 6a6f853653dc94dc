package local_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"steno/audio/process/confine"
	"steno/session/asr/local"
)

// attempt is an engine's program that tries what none may do, and prints what it could. Outside is
// a folder of another's, with the file "secret" and the socket "socket". The file "address" among
// the models has an address of TCP where something listens.
func attempt(outside string) {
	secret := filepath.Join(outside, "secret")
	address, readable := os.ReadFile(os.Getenv("LOCAL_TEST_MODELS") + "/address")
	for name, err := range map[string]error{
		"connect by TCP":               closed(net.Dial("tcp", string(address))),
		"listen for TCP":               closed(net.Listen("tcp", "127.0.0.1:0")),
		"send datagrams":               closed(net.ListenPacket("udp", "127.0.0.1:0")),
		"connect to a socket":          closed(net.Dial("unix", filepath.Join(outside, "socket"))),
		"read a file":                  errorOf(os.ReadFile(secret)),
		"read the list of users":       errorOf(os.ReadFile("/etc/passwd")),
		"list a folder":                errorOf(os.ReadDir(outside)),
		"list the root":                errorOf(os.ReadDir("/")),
		"write a file":                 os.WriteFile(secret, nil, 0o600),
		"make a file":                  os.WriteFile(secret+".new", nil, 0o600),
		"make a file among models":     os.WriteFile(os.Getenv("LOCAL_TEST_MODELS")+"/new", nil, 0o600),
		"change a mode":                os.Chmod(secret, 0o777),
		"see the parent":               errorOf(os.ReadFile("/proc/" + strconv.Itoa(os.Getppid()) + "/environ")),
		"signal the parent":            unix.Kill(os.Getppid(), 0),
		"hold the parent":              errorOf(unix.PidfdOpen(os.Getppid(), 0)),
		"trace the parent":             unix.PtraceAttach(os.Getppid()),
		"make namespaces":              unix.Unshare(unix.CLONE_NEWUSER),
		"see a variable of the parent": variable("LOCAL_TEST_SECRET"),
	} {
		if err == nil {
			fmt.Println("could", name)
		}
	}
	l, err := net.Listen("unix", filepath.Join(os.TempDir(), "own"))
	fmt.Println("own socket:", l != nil, err, "models:", readable)
	_, err = os.ReadFile("/proc/cpuinfo")
	fmt.Println("temporary file:", os.WriteFile(filepath.Join(os.TempDir(), "x"), nil, 0o600), "machine:", err)
	fmt.Println("done")
}

func errorOf[T any](_ T, err error) error { return err }

// closed returns the error of what has opened something.
func closed[T interface{ Close() error }](opened T, err error) error {
	if err == nil {
		_ = opened.Close()
	}
	return err
}

func variable(name string) error {
	if _, set := os.LookupEnv(name); set {
		return nil
	}
	return os.ErrNotExist
}

// An engine's program has no network, and no files but those of its models, the system's programs
// and libraries, and its private folder.
func TestRights(t *testing.T) {
	if err := confine.Supported(); err != nil {
		t.Skip(err)
	}
	t.Setenv("LOCAL_TEST_SECRET", "x")
	outside, models := shortDir(t), t.TempDir()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	socket, err := net.Listen("unix", filepath.Join(outside, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close() // removes it
	secret := filepath.Join(outside, "secret")
	for path, text := range map[string]string{secret: "words", filepath.Join(models, "address"): tcp.Addr().String()} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Remove(secret)
	var lines []string
	_, err = local.Start(t.Context(), local.Config{
		Binary: os.Args[0], Dir: shortDir(t), Rights: &confine.Rights{Read: []string{models, "/nonexistent"}},
		Env:    []string{"LOCAL_TEST_ATTEMPT=" + outside, "LOCAL_TEST_MODELS=" + models},
		OnLine: func(line string) { lines = append(lines, line) },
	})
	want := []string{"own socket: true <nil> models: <nil>", "temporary file: <nil> machine: <nil>", "done"}
	if err == nil || !slices.Equal(lines, want) {
		t.Errorf("%v\n%s", err, strings.Join(lines, "\n"))
	}
	if text, err := os.ReadFile(secret); err != nil || string(text) != "words" {
		t.Errorf("the file became %q, %v", text, err)
	}
}
