package main

import (
	"os/exec"
	"strings"
	"testing"
)

// unit are the settings of steno.service, by name.
func unit(t *testing.T) map[string][]string {
	t.Helper()
	settings := map[string][]string{}
	for line := range strings.Lines(readFile(t, "steno.service")) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(line, "#") {
			settings[name] = append(settings[name], value)
		}
	}
	return settings
}

// TestUnitFitsThePackage compares the paths and names of the unit with those that the script and
// the package's make.
func TestUnitFitsThePackage(t *testing.T) {
	u := unit(t)
	script, postinst := readFile(t, "dist.sh"), readFile(t, "debian/postinst")
	command := strings.Fields(strings.Join(u["ExecStart"], " "))
	if len(command) != 4 || command[0] != "/usr/lib/steno/steno" || command[1] != "serve" || command[2] != "--config" {
		t.Fatalf("starts %q", command)
	}
	for _, want := range []struct{ text, in string }{
		{`cp -r "$program" "$deb/usr/lib/steno"`, script},
		{`"$program/" ./cmd/steno `, script},
		{`$here/steno.yml "$deb` + strings.TrimSuffix(command[3], "steno.yml") + `"`, script},
		{"\n" + command[3] + "\n", "\n" + readFile(t, "debian/conffiles")},
		{"/var/lib/" + u["StateDirectory"][0] + "\n", postinst},
		{"data: /var/lib/" + u["StateDirectory"][0] + "\n", readFile(t, "steno.yml")},
		{" " + u["User"][0] + "\n", postinst},
		{strings.TrimPrefix(u["EnvironmentFile"][0], "-"), postinst},
	} {
		if !strings.Contains(want.in, want.text) {
			t.Errorf("no %q", want.text)
		}
	}
}

// TestUnitIsHardened has systemd judge the unit: 0 is safe, 10 is not.
func TestUnitIsHardened(t *testing.T) {
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip(err)
	}
	out, err := exec.Command(program, "security", "--offline=yes", "--threshold=20", "--no-pager",
		"steno.service").CombinedOutput()
	if err != nil || strings.Contains(string(out), "ignoring") {
		t.Errorf("%v\n%s", err, out)
	}
}
