package endtoend_test

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/coder/websocket"

	"steno/cmd/cmdtest"
)

// TestDemo runs demo.sh with words that are made up: it plays the recording, sums up, prints where
// the console is, and ends by the signal of a terminal's Ctrl-C, which all processes there get,
// with its sessions seen through and nothing left running.
func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the programs")
	}
	bin := build(t)
	cmdtest.Build(t, "loadtest")
	speech, err := os.ReadFile("/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-0880.wav")
	if err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "it's mine.wav")
	if err := os.WriteFile(file, speech, 0o600); err != nil {
		t.Fatal(err)
	}
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGINT) // else the script could not where the tests were started to ignore it
	defer signal.Stop(caught)
	g := &gateway{t: t, addr: cmdtest.Address(t), data: t.TempDir()}
	demo := func(env ...string) (*exec.Cmd, *lockedBuffer) {
		out := new(lockedBuffer)
		cmd := exec.Command("../../demo.sh", g.addr, g.data, "scripted", file)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		cmd.Env = append(append(os.Environ(), "BIN="+bin, "STENO_API_KEYS=me:"+testKey), env...)
		cmd.Stdout, cmd.Stderr = out, out
		return cmd, out
	}

	cmd, out := demo("MODEL=none")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, "the end of the recording", func() bool { return strings.Contains(out.String(), "steno goes on serving") })
	runTry(t, out.String())
	again, said := demo("MODEL=none")
	if err := again.Run(); err == nil || strings.Contains(said.String(), "goes on serving") {
		t.Errorf("where another gateway has the address: %v\n%s", err, said)
	}
	var opened struct{ URL string }
	g.must(t, http.MethodPost, "/v2/live", `{}`, &opened)
	conn, _, err := websocket.Dial(t.Context(), opened.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	beAttached(t.Context(), t, conn)
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGINT); err != nil {
		t.Error(err)
	}
	await(t, "the gateway's end", func() bool {
		log, _ := os.ReadFile(filepath.Join(g.data, "demo.log"))
		return bytes.Contains(log, []byte("draining"))
	})
	stopNormally(t.Context(), t, conn)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if text := out.String(); !regexp.MustCompile(`(?m)^3 s of audio, \d utterances?;.*\.$`).MatchString(text) ||
		!regexp.MustCompile(`console  http://127.0.0.1:\d+/console\n`).MatchString(text) ||
		!strings.Contains(text, "key      "+testKey+"\n") {
		t.Errorf("printed %s", text)
	}

	cmd, out = demo("MODEL=nothing-of-that-name")
	if err := cmd.Run(); err == nil || !strings.Contains(out.String(), `no model "nothing-of-that-name"`) {
		t.Errorf("a model that there is not: %v\n%s", err, out)
	}
}

// TestMakeQuotes has make print how it would start the programs, and the shell read it: names may
// hold anything.
func TestMakeQuotes(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip(err)
	}
	file, data := "it's mine, or \"yours\".wav", "my data"
	for target, program := range map[string]string{"demo": "./cmd/demo.sh", "run": "./bin/steno serve"} {
		said, err := exec.Command("make", "--no-print-directory", "-n", "-C", "../../..", target, "FILE="+file,
			"DATA="+data).Output()
		if err != nil {
			t.Fatal(err)
		}
		_, arguments, found := strings.Cut(string(said), program)
		listed, err := exec.Command("sh", "-c", "printf '%s\\n' "+arguments).Output()
		words := strings.Split(string(listed), "\n")
		if err != nil || !found || !slices.Contains(words, data) || target == "demo" && !slices.Contains(words, file) {
			t.Errorf("%s gets %q, %v", program, words, err)
		}
	}
}

// TestFirstCommandWorks starts a gateway without a key, and runs the command that it prints.
func TestFirstCommandWorks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the programs")
	}
	g := gatewayToBe(t, build(t), "scripted", "STENO_API_KEYS=")
	if err := g.start(); err != nil {
		t.Fatal(err)
	}
	await(t, "the greeting", func() bool { return strings.Contains(g.process.log.String(), "  try ") })
	said := g.process.log.String()
	if !strings.Contains(said, "  console  "+g.url()+"/console\n") {
		t.Errorf("printed %s", said)
	}
	runTry(t, said)
}

// runTry runs the command that was printed to be tried.
func runTry(t *testing.T, said string) {
	t.Helper()
	try := regexp.MustCompile(`(?m)^  try +(curl .*)$`).FindStringSubmatch(said)
	if try == nil {
		t.Fatalf("printed %s", said)
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip(err)
	}
	answer, err := exec.Command("sh", "-c", try[1]+" -sS --fail").Output()
	if err != nil || !bytes.Contains(answer, []byte(`"models"`)) && !bytes.Contains(answer, []byte(`"transcription"`)) {
		t.Errorf("%v: %s", err, answer)
	}
}
