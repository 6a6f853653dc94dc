package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The sentences of the demo, and the recordings they are in.
const (
	said     = "had he married a more amiable woman he might have been made still more respectable than he was he might even have been made amiable himself"
	speech   = "/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-"
	testKey  = "0123456789abcdef"
	readyFor = 2 * time.Minute
)

// checkHeard compares what was heard with what was said: one word in five may be wrong.
func checkHeard(t *testing.T, output, said string) {
	t.Helper()
	spoken := strings.Fields(said)
	best := len(spoken)
	for line := range strings.Lines(output) {
		words := regexp.MustCompile(`[a-z]+`).FindAllString(strings.ToLower(line), -1)
		right := 0
		for _, w := range spoken {
			if slices.Contains(words, w) {
				right++
			}
		}
		best = min(best, len(spoken)-right)
	}
	if best > len(spoken)/5 {
		t.Errorf("%d of %d words are missing:\n%s", best, len(spoken), output)
	}
}

// gateway is a running one in a system of its own.
type gateway struct {
	t     *testing.T
	cmd   *exec.Cmd
	first int // its process id, here
	out   *output
}

// serve starts a gateway and waits until it answers.
func serve(t *testing.T, s *system, c command, port string) *gateway {
	t.Helper()
	out := new(output)
	g := &gateway{t: t, cmd: s.start(context.Background(), c, out), out: out}
	t.Cleanup(func() { kill(g.cmd) })
	g.first = first(t, g.cmd, out)
	g.await(port)
	return g
}

// await waits until the gateway is ready.
func (g *gateway) await(port string) {
	g.t.Helper()
	for end := time.Now().Add(readyFor); time.Now().Before(end); time.Sleep(500 * time.Millisecond) {
		if _, err := inside(g.t, g.first, "curl", "-sf", "http://127.0.0.1:"+port+"/readyz"); err == nil {
			return
		}
	}
	kill(g.cmd)
	_ = g.cmd.Wait()
	g.t.Fatalf("it does not become ready:\n%s", g.out)
}

// stop sends SIGTERM to the first process of the system, and waits for its end, which should come
// soon and be a good one.
func (g *gateway) stop() {
	g.t.Helper()
	if err := syscall.Kill(g.first, syscall.SIGTERM); err != nil {
		g.t.Error(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- g.cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			g.t.Errorf("after SIGTERM: %v\n%s", err, g.out)
		}
	case <-time.After(30 * time.Second):
		kill(g.cmd)
		g.t.Errorf("it goes on 30 s after SIGTERM:\n%s", <-ended)
	}
	if !strings.Contains(g.out.String(), "landlock") {
		g.t.Errorf("ffmpeg is not confined by Landlock:\n%s", g.out)
	}
}

// transcribe sends a recording that ffmpeg has to decode.
func (g *gateway) transcribe(port, key string) {
	g.t.Helper()
	file := filepath.Join(g.t.TempDir(), "speech.ogg")
	if out, err := exec.Command("ffmpeg", "-v", "error", "-i", speech+"0930.wav", "-c:a", "libvorbis",
		file).CombinedOutput(); err != nil {
		g.t.Fatalf("%v\n%s", err, out)
	}
	answer, err := inside(g.t, g.first, "curl", "-sS", "--fail-with-body", "-H", "x-service-key: "+key, "-F",
		"audio=@"+file,
		"http://127.0.0.1:"+port+"/v2/bots/transcribe")
	if err != nil {
		g.t.Errorf("%v\n%s", err, answer)
	}
	checkHeard(g.t, answer, "he might even have been made amiable himself")
}

// TestImage carries out the Dockerfile and runs what it makes, alone and as compose.yml has it.
func TestImage(t *testing.T) {
	slow(t)
	i := buildImage(t)
	t.Run("container", func(t *testing.T) { containerRuns(t, i) })
	t.Run("compose", func(t *testing.T) { composeRuns(t, i) })
}

// containerRuns runs an image as the documents have it: by its own user, as the first process, with
// a root that nobody can write to.
func containerRuns(t *testing.T, i *image) {
	documented := documentedRun(t)
	data := t.TempDir() // a new volume is as the folder of the image
	owner := i.owner()
	uid, gid, _ := strings.Cut(owner, ":")
	info, err := os.Stat(i.path(i.volumes[0]))
	if err != nil || info.Mode().Perm() != 0o700 || fmt.Sprint(info.Sys().(*syscall.Stat_t).Uid) != uid {
		t.Fatalf("the volume's folder: %v, %v", info, err)
	}
	if out, err := exec.Command("sh", "-c", "cp "+speech+"09[23]0.wav "+data+" && chown -R "+uid+":"+gid+" "+data+
		" && chmod 700 "+data).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := command{
		args: slices.Concat(i.entrypoint, i.cmd), env: slices.Concat(i.env, documented.env), user: owner,
		readonly: true, limited: true,
	}
	for _, path := range documented.volumes {
		c.binds = append(c.binds, data+":"+path)
	}
	for _, what := range []string{"the first time", "again"} {
		t.Log(what)
		g := serve(t, i.system, c, "8080")
		status := readFile(t, fmt.Sprintf("/proc/%d/status", g.first))
		if !regexp.MustCompile(`(?m)^Uid:\s+`+uid+`\s+`+uid+`\s`).MatchString(status) ||
			!regexp.MustCompile(`(?m)^NSpid:\s+\d+\s+1$`).MatchString(status) {
			t.Errorf("it runs as\n%s", status)
		}
		if err := syscall.Kill(g.first, 0); err != nil {
			t.Fatal(err)
		}
		within := func(args ...string) (string, error) { // the same root, as seen by the container
			line := []string{"nsenter", "--mount", "--net", "--pid", "--target", fmt.Sprint(g.first), "--", "chroot",
				"--userspec=" + owner, i.root, "/usr/bin/env", "-i", searchPath}
			line = append(append(line, i.env...), args...)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			out, err := exec.CommandContext(ctx, line[0], line[1:]...).CombinedOutput()
			return string(out), err
		}
		if out, err := within("sh", "-c",
			"! touch /x && ! touch /tmp/x && ! touch /usr/local/bin/steno && touch /data/x"); err != nil {
			t.Errorf("what can be written: %v\n%s", err, out)
		}
		if out, err := within(i.health...); err != nil {
			t.Errorf("%q: %v\n%s", i.health, err, out)
		}
		out, err := within("loadtest", "--key", testKey, "--audio", "/data/"+filepath.Base(speech)+"0920.wav",
			"--audio", "/data/"+filepath.Base(speech)+"0930.wav",
			"--join", "--endpointing", "0.3", "--max-utterance", "30")
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		t.Log(out)
		checkHeard(t, out, said)
		g.transcribe("8080", testKey)
		g.stop()
	}
}

// TestRelease installs the Debian package and the archive in clean systems and runs the demo of
// each. The same sources elsewhere make the same release.
func TestRelease(t *testing.T) {
	slow(t)
	out, again, sources := t.TempDir(), t.TempDir(), copySources(t)
	deb, archive := pack(t, sources, out)
	t.Run("package", func(t *testing.T) { installPackage(t, deb) })
	t.Run("archive", func(t *testing.T) { unpackArchive(t, archive) })
	t.Run("again", func(t *testing.T) {
		moved := filepath.Join(t.TempDir(), "elsewhere")
		if err := os.Rename(sources, moved); err != nil {
			t.Fatal(err)
		}
		modules, err := exec.Command("go", "env", "GOMODCACHE").Output()
		if err != nil {
			t.Fatal(err)
		}
		elsewhere := filepath.Join(t.TempDir(), "modules")
		if err := os.Symlink(strings.TrimSpace(string(modules)), elsewhere); err != nil {
			t.Fatal(err)
		}
		t.Setenv("GOMODCACHE", elsewhere)
		pack(t, moved, again)
		if a, b := readFile(t, filepath.Join(out, "SHA256SUMS")),
			readFile(t, filepath.Join(again, "SHA256SUMS")); a != b {
			t.Errorf("the checksums differ:\n%s\n%s", a, b)
		}
	})
}

// copySources copies what git knows, or would add, to a folder.
func copySources(t *testing.T) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "sources")
	text, err := exec.Command("sh", "-c", "mkdir "+to+
		" && cd ../.. && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "+
		to).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return to
}

// The last words of the demo, while its gateway continues to serve, and how long that may take.
const (
	demoEnd = "  docs     http://127.0.0.1:8080/docs\n"
	demoFor = 3 * time.Minute
)

// runDemo plays the demo as a user without rights, and ends it.
func runDemo(t *testing.T, s *system, program string) {
	t.Helper()
	s.must("useradd --create-home somebody")
	out := new(output)
	cmd := s.start(context.Background(), command{
		args: []string{program}, user: "1000:1000", cwd: "/home/somebody", env: []string{"HOME=/home/somebody"},
	}, out)
	t.Cleanup(func() { kill(cmd) })
	pid := first(t, cmd, out)
	for end := time.Now().Add(demoFor); time.Now().Before(end) && !strings.Contains(out.String(),
		demoEnd); time.Sleep(time.Second) {
	}
	if answer, err := inside(t, pid, "curl", "-sSf", "http://127.0.0.1:8080/readyz"); err != nil {
		t.Errorf("while it goes on serving: %v\n%s", err, answer)
	}
	_ = syscall.Kill(pid, syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Errorf("the demo: %v", err)
	}
	t.Log(out)
	checkHeard(t, out.String(), said)
	for _, want := range []string{"/console", "9 s of audio, ", demoEnd} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the demo says nothing of %q", want)
		}
	}
}

// installPackage installs the package as the documents have it, in a system that has what the
// package needs, without a network.
func installPackage(t *testing.T, deb string) {
	s := debian(t)
	s.must("mkdir /root/dist && apt-get update -qq && apt-get install -y -qq --no-install-recommends systemd systemd-sysv bubblewrap pocketsphinx-testdata " +
		strings.Join(dependencies(t), " ") + " >/dev/null 2>&1")
	if err := copyFile(deb, s.path("/root/dist/"+filepath.Base(deb))); err != nil {
		t.Fatal(err)
	}
	runService(t, s)
	got := s.must(`stat -c '%U:%G %a %n' /var/lib/steno /etc/steno/environment /usr/lib/steno/steno && steno version && dpkg --verify steno`)
	want := "steno:steno 700 /var/lib/steno\nroot:root 600 /etc/steno/environment\nroot:root 755 /usr/lib/steno/steno\nsteno 0~test (go1."
	if !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 4 {
		t.Errorf("installed:\n%s", got)
	}
	runDemo(t, s, "/usr/lib/steno/steno-demo")
	// The data may be on a disk of their own, whose folder cannot be removed.
	s.must("mount --bind /var/lib/steno /var/lib/steno && apt-get purge -y -qq steno && umount /var/lib/steno && rmdir /var/lib/steno && " +
		"! ls /etc/steno /var/lib/steno /usr/lib/steno /usr/bin/steno 2>/dev/null | grep .")
}

// runService boots the system, installs the package with the documented commands, and uses the
// service that then runs.
func runService(t *testing.T, s *system) {
	t.Helper()
	g := &gateway{t: t, out: new(output)}
	g.cmd = s.boot(context.Background(), g.out)
	t.Cleanup(func() { kill(g.cmd) })
	g.first = first(t, g.cmd, g.out)
	awaitProgram(t, g.first, "systemd") // before, it is a shell outside of the system
	within := func(shell string) string {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		out, err := exec.CommandContext(ctx, "nsenter", "--target", fmt.Sprint(g.first), "--mount", "--pid", "--net",
			"--cgroup", "--root", "--wd",
			"--", "sh", "-c", shell).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
		return string(out)
	}
	within("systemctl is-system-running --wait >/dev/null || true")
	printed := within("cd /root && " + documented(t, "apt install "))
	t.Log(printed)
	key := regexp.MustCompile(`(?m)^STENO_API_KEYS=(\w{32})$`).FindStringSubmatch(printed)
	if key == nil || !strings.Contains(printed, "active (running)") {
		t.Fatal("there is no key, or it does not run")
	}
	g.await("8080")
	g.transcribe("8080", key[1])
	if log := within("journalctl --no-pager --unit steno"); !strings.Contains(log, `"sandbox":"landlock"`) ||
		strings.Contains(log, key[1]) {
		t.Errorf("the journal:\n%s", log)
	}
	if status := within("systemctl stop steno && systemctl show steno --property Result,ExecMainStatus,User"); status != "Result=success\nExecMainStatus=0\nUser=steno\n" &&
		status != "User=steno\nResult=success\nExecMainStatus=0\n" {
		t.Errorf("after its end:\n%s", status)
	}
	kill(g.cmd)
	_ = g.cmd.Wait()
}

func unpackArchive(t *testing.T, archive string) {
	s := debian(t)
	packages := slices.DeleteFunc(dependencies(t), func(p string) bool {
		return p == "adduser" ||
			p == "init-system-helpers"
	})
	s.must("apt-get update -qq && apt-get install -y -qq --no-install-recommends pocketsphinx-testdata " +
		strings.Join(packages, " ") + " >/dev/null 2>&1")
	if text, err := exec.Command("tar", "-C", s.path("/opt"), "-xzf", archive).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	folder := "/opt/" + strings.TrimSuffix(filepath.Base(archive), ".tar.gz")
	for _, name := range []string{"README.md", "cmd/steno/DEPLOYMENT.md", "CHANGELOG.md", "steno.service", "steno.yml",
		"sbom.cdx.json", "licences/std@" + strings.TrimPrefix(goVersion(t), "go") + ".txt"} {
		if _, err := os.Stat(s.path(folder + "/" + name)); err != nil {
			t.Error(err)
		}
	}
	runDemo(t, s, folder+"/lib/steno-demo")
}

func goVersion(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
