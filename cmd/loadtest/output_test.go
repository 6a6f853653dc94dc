package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"steno/loadtest"
)

func TestFilesAreRefusedBeforeTheFirstSession(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter,
		*http.Request) {
		t.Error("the server was called")
	}))
	defer s.Close()
	missing, same := filepath.Join(t.TempDir(), "missing", "file"), filepath.Join(t.TempDir(), "file")
	for _, tt := range []struct {
		want string
		args []string
	}{
		{"--json: ", []string{"--json", missing}},
		{"--html: ", []string{"--json", same, "--html", missing}},
		{"--html: ", []string{"--find-capacity", "--slo", "final_p95=1s", "--html", missing}},
		{"--json: ", []string{"--json", t.TempDir()}},
		{"--json and --html", []string{"--json", same, "--html", same}},
	} {
		var out, errs strings.Builder
		err := run(t.Context(), append([]string{"--url", s.URL, "--generate", "tone", "--sessions", "2", "--duration",
			"1s"}, tt.args...), &out, &errs)
		if exitCode(err) != exitUsage || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: exit code %d, error %v", tt.args, exitCode(err), err)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(same)); err != nil || len(left) > 0 {
		t.Errorf("files are left: %v, error %v", left, err)
	}
}

func TestFilesKeepAnOlderReportUntilTheEnd(t *testing.T) {
	dir := t.TempDir()
	flags := outputFlags{JSON: filepath.Join(dir, "run.json"), HTML: filepath.Join(dir, "run.html")}
	if err := os.WriteFile(flags.JSON, []byte("older"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, finished := range []bool{false, true} {
		files, err := flags.open()
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(flags.JSON); err != nil || string(b) != "older" {
			t.Errorf("before the end the file holds %q, error %v", b, err)
		}
		if finished {
			err = files.write(&loadtest.Report{Format: 1})
		}
		files.close()
		left, _ := filepath.Glob(filepath.Join(dir, "*"))
		hidden, _ := filepath.Glob(filepath.Join(dir, ".*"))
		if err != nil || len(hidden) > 0 || len(left) == 2 != finished {
			t.Errorf("finished %t: files %v and %v, error %v", finished, left, hidden, err)
		}
	}
	info, err := os.Stat(flags.JSON)
	if r, failed := loadtest.ReadReport(flags.JSON); failed != nil || err != nil || r.Format != 1 ||
		info.Mode().Perm() != 0o600 {
		t.Errorf("report %+v, errors %v and %v, mode %v", r, failed, err, info.Mode())
	}
}

func TestOneFileThatFailsDoesNotPreventTheOther(t *testing.T) {
	dir := t.TempDir()
	flags := outputFlags{JSON: "/dev/full", HTML: filepath.Join(dir, "run.html")}
	files, err := flags.open()
	if err != nil {
		t.Skip(err)
	}
	defer files.close()
	if err := files.write(&loadtest.Report{}); err == nil || !strings.Contains(err.Error(), "--json: ") {
		t.Errorf("error %v", err)
	}
	if info, err := os.Stat(flags.HTML); err != nil || info.Size() == 0 {
		t.Errorf("the page was not written: %v", err)
	}
}
