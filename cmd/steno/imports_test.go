package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport lists which of the project's packages a package may import: on the left a name stands
// for itself and everything below it, the longest that fits counts; on the right only one with a
// final slash does. What is not listed may import everything (the commands).
var mayImport = map[string][]string{
	"messages": {},
	"vad":      {"vad/"},
	"audio":    {"audio/"},
	"session": {"messages", "audio", "vad", "session/asr", "session/addon", "session/internal/samples",
		"session/speaker", "session/panics", "session/retry"},
	"session/panics": {},

	"session/filelock": {},

	"session/asr":                {},
	"session/asr/asrtest":        {"session/asr", "session/asr/asrtest/"},
	"session/asr/asrtest/corpus": {"audio", "session/asr"},
	"session/asr/scripted":       {"session/asr", "session/retry"},
	"session/asr/riva":           {"audio", "session/asr", "session/asr/riva/", "session/panics", "session/retry"},
	"session/asr/local": {"audio/process", "audio/process/confine", "session/asr", "session/asr/riva/",
		"session/filelock", "session/retry"},
	"session/asr/openai": {"audio", "session/asr", "session/asr/align/estimate", "session/asr/clean",
		"session/asr/remote", "session/asr/whole", "session/panics", "session/httpclient"},
	"session/asr/remote":   {"session/asr", "session/asr/align/estimate", "session/retry", "session/semaphore"},
	"session/asr/realtime": {"audio", "session/asr", "session/asr/remote", "session/panics", "session/httpclient"},
	"session/asr/twopass":  {"session/asr", "session/panics"},
	"session/asr/fusion":   {"session/asr", "session/panics"},
	"session/asr/router":   {"session/asr", "session/panics", "session/retry"},
	"session/asr/clean":    {"session/asr"},
	"session/asr/engines": {"session/asr", "session/asr/clean", "session/asr/fusion", "session/asr/local",
		"session/asr/openai", "session/asr/realtime", "session/asr/riva/", "session/asr/router",
		"session/asr/twopass",
		"session/retry"},
	"session/asr/models": {"audio/process", "session/filelock", "session/retry", "session/httpclient"},
	"session/asr/rivaserver": {"audio", "session/asr", "session/asr/riva/", "session/asr/schedule",
		"session/semaphore"},
	"session/asr/schedule": {"session/asr"},
	"session/asr/align": {"session/asr", "session/asr/align/estimate", "session/asr/sphinx/g2p",
		"session/asr/sphinx/library", "session/asr/sphinx/pronounce"},
	"session/asr/wer":   {},
	"session/asr/whole": {"session/asr", "session/asr/schedule"},
	"session/asr/moonshine": {"session/asr", "session/asr/align", "session/asr/models", "session/asr/schedule",
		"session/asr/wer", "session/asr/whole", "session/asr/moonshine/"},
	"session/asr/sphinx": {"session/asr", "session/asr/schedule", "session/asr/sphinx/"},
	"session/asr/sherpa": {"session/asr", "session/asr/riva/wire", "session/asr/models", "session/asr/twopass",
		"session/asr/schedule", "session/asr/whole", "session/asr/sherpa/"},

	"session/transcribe": {"messages", "audio", "audio/media", "session", "session/asr", "session/addon",
		"session/addon/diarization", "session/addon/redact", "session/addon/sentences", "session/speaker"},

	"session/httpclient": {},
	"session/retry":      {},
	"session/semaphore":  {},
	"session/addon": {"messages", "audio/process", "session/addon", "session/addon/entities", "session/addon/llm",
		"session/addon/remote",
		"session/addon/sentences", "session/addon/subtitles", "session/addon/summary/", "session/retry",
		"session/semaphore", "session/panics", "session/httpclient"},
	"session/addon/redact": {"messages", "audio", "session/addon", "session/addon/entities",
		"session/addon/llm", "session/addon/remote", "session/addon/sentences"},
	"session/addon/registry":  {"session/addon/"},
	"session/addon/addontest": {"messages", "session/addon/"},
	"session/speaker":         {"messages", "vad", "session/asr"},
	"session/store": {"messages", "session", "session/store/", "session/filelock", "session/retry",
		"session/semaphore"},
	"session/store/embedded/journal": {"session/store"},
	"session/store/valkey/server":    {"session/retry", "session/store"},
	"session/store/valkey/tier": {
		"messages", "session/retry", "session/semaphore",
		"session/store", "session/store/blob", "session/store/valkey/server",
	},
	"session/store/valkey/claims": {
		"messages", "session", "session/retry", "session/store",
		"session/store/valkey/server", "session/store/valkey/tier",
	},
	"session/store/valkey/records": {
		"messages", "session", "session/store", "session/store/blob",
		"session/store/metadata", "session/store/valkey/server", "session/store/valkey/tier",
	},
	"session/store/valkey/uploads": {
		"session/filelock", "session/store", "session/store/blob",
		"session/store/valkey/server", "session/store/valkey/tier",
	},
	"session/store/valkey/tokens": {
		"messages", "session/store",
		"session/store/blob", "session/store/valkey/server",
	},
	"session/store/valkey/accounts": {"session/store", "session/store/valkey/server"},
	"session/store/valkey/queue":    {"messages", "session/store", "session/store/valkey/server"},
	"session/store/valkey/outbox":   {"session/store", "session/store/valkey/server"},
	"session/store/valkeytest":      {"session/retry", "cmd/cmdtest"},

	"gateway": {"messages", "audio/", "session", "session/asr", "session/store", "session/semaphore",
		"session/panics", "session/retry", "session/addon/", "session/transcribe", "gateway/"},
	"gateway/accounts": {"messages", "session/store", "gateway/metrics", "gateway/web"},
	"gateway/billing":  {"messages", "session/store", "gateway/web"},
	"gateway/bots": {"messages", "audio", "audio/media", "session/store", "gateway/admission", "gateway/jobs",
		"gateway/limits", "gateway/uploads", "gateway/web"},
	"gateway/health": {"messages", "audio/media", "session/store", "gateway/admission", "gateway/metrics",
		"gateway/web"},
	"gateway/jobs": {"messages", "audio", "audio/media", "session", "session/asr", "session/addon",
		"session/addon/redact", "session/addon/subtitles", "session/store", "session/semaphore", "session/panics",
		"session/transcribe", "gateway/accounts", "gateway/admission", "gateway/limits", "gateway/metrics",
		"gateway/outbound",
		"gateway/records", "gateway/recovery", "gateway/tracing", "gateway/uploads", "gateway/web", "session/retry"},
	"gateway/recorded": {"messages", "audio/media", "session/addon/subtitles", "session/store", "gateway/admission",
		"gateway/dialect",
		"gateway/jobs", "gateway/limits", "gateway/records", "gateway/tokens", "gateway/uploads", "gateway/web"},
	"gateway/records": {"messages", "audio", "session", "session/addon/redact", "session/panics",
		"session/semaphore", "session/store", "session/store/metadata",
		"gateway/recovery", "gateway/admission", "gateway/limits", "gateway/lru", "gateway/uploads", "gateway/web"},
	"gateway/uploads": {"messages", "audio/media", "session/asr", "session/semaphore", "session/store",
		"gateway/accounts", "gateway/admission", "gateway/limits", "gateway/metrics", "gateway/outbound",
		"gateway/web"},
	"gateway/admission": {"messages", "session/asr", "session/store", "gateway/metrics", "gateway/web",
		"gateway/outbound"},
	"gateway/callbacks": {"messages", "session", "session/store", "session/retry", "session/panics",
		"gateway/metrics", "gateway/outbound", "gateway/recovery", "gateway/web", "session/semaphore"},
	"gateway/audit":       {"messages", "session/store", "session/retry", "gateway/web"},
	"gateway/lru":         {},
	"gateway/connections": {"gateway/limits", "gateway/metrics", "gateway/web"},
	"gateway/ports":       {"messages", "gateway/connections", "gateway/dialect", "gateway/recovery", "gateway/web"},
	"gateway/waveform": {"messages", "audio", "audio/media", "session/semaphore", "session/store", "gateway/limits",
		"gateway/lru", "gateway/records", "gateway/uploads", "gateway/web"},
	"gateway/transcripts": {"messages", "session/addon/subtitles", "session/semaphore", "session/store",
		"gateway/limits", "gateway/lru", "gateway/records", "gateway/web"},
	"gateway/overview": {"messages", "session/store", "gateway/activity", "gateway/admission", "gateway/lru",
		"gateway/web"},
	"gateway/activity": {"messages", "session", "gateway/web"},
	"gateway/openapi":  {"messages"},
	"gateway/console":  {"gateway/web"},
	"gateway/live": {"messages", "audio/media", "session", "session/addon", "session/asr", "session/panics",
		"session/retry", "session/store", "gateway/accounts", "gateway/activity", "gateway/admission",
		"gateway/callbacks", "gateway/client", "gateway/dialect", "gateway/limits", "gateway/metrics",
		"gateway/ratelimit", "gateway/recovery", "gateway/tracing", "gateway/subscribers", "gateway/web",
		"gateway/wsconn"},
	"gateway/client": {"messages", "audio", "audio/media", "session", "session/panics", "session/semaphore",
		"session/store", "gateway/dialect", "gateway/limits", "gateway/metrics", "gateway/recovery",
		"gateway/wsconn"},
	"gateway/dialect": {"messages", "gateway/dialect", "gateway/web"},
	"gateway/dialect/assemblyai": {"messages", "gateway/dialect", "gateway/dialect/assemblyai",
		"gateway/dialect/opus", "gateway/web"},
	"gateway/dialect/deepgram": {"messages", "audio", "gateway/dialect", "gateway/dialect/deepgram",
		"gateway/dialect/opus", "gateway/web"},
	"gateway/dialect/opus":   {"gateway/dialect"},
	"gateway/dialect/openai": {"messages", "gateway/dialect", "gateway/dialect/openai", "gateway/web"},
	"gateway/subscribers": {"messages", "session", "session/panics", "session/retry", "session/store",
		"gateway/limits", "gateway/metrics", "gateway/recovery", "gateway/web", "gateway/wsconn"},
	"gateway/limits":    {"messages"},
	"gateway/metrics":   {},
	"gateway/tracing":   {"session"},
	"gateway/outbound":  {"session/retry"},
	"gateway/ratelimit": {},
	"gateway/recovery":  {"session/panics"},
	"gateway/tokens":    {"messages", "session/store", "gateway/limits", "gateway/web"},
	"gateway/web":       {"messages", "session/store"},
	"gateway/wsconn":    {},

	"gateway/dialect/calls":  {"messages", "gateway/dialect", "gateway/dialect/tracks"},
	"gateway/dialect/telnyx": {"messages", "gateway/dialect", "gateway/dialect/calls"},
	"gateway/dialect/twilio": {"messages", "gateway/dialect", "gateway/dialect/calls"},
	"gateway/dialect/vonage": {"messages", "gateway/dialect", "gateway/dialect/calls"},

	"gateway/dialect/registry": {"gateway/dialect/"},

	"loadtest": {"messages", "audio", "session/asr/wer"},

	"cmd/cmdtest":        {},
	"cmd/steno/terminal": {},
	"cmd/steno/metrics": {"session/asr/engines", "session/asr/riva/enginepb", "session/asr/twopass", "session/store",
		"session/store/valkey", "session/store/valkey/claims", "session/store/valkey/server", "cmd/steno/stores"},
	"cmd/steno/trial": {"audio/process/confine", "session", "session/asr", "session/asr/local", "session/asr/models",
		"session/asr/wer", "cmd/steno/config", "cmd/steno/decoding", "cmd/steno/recognizers"},
	"cmd/steno/certificates": {"cmd/steno/config"},
	"cmd/steno/doctor": {"audio", "audio/media", "audio/process/confine", "gateway/limits", "session", "session/asr",
		"session/asr/local", "session/asr/models", "session/asr/router", "session/filelock", "session/store",
		"session/store/blob", "session/store/embedded", "session/store/valkey", "cmd/steno/config",
		"cmd/steno/decoding", "cmd/steno/descriptors", "cmd/steno/recognizers", "cmd/steno/stores",
		"cmd/steno/terminal"},
	"cmd/steno/decoding":    {"audio", "audio/media", "session/transcribe", "cmd/steno/config"},
	"cmd/steno/descriptors": {"gateway/limits"},
	"cmd/steno/stores":      {"session/retry", "session/store/", "cmd/steno/config", "cmd/steno/terminal"},
	"cmd/steno/recognizers": {"messages", "audio", "audio/process/confine", "session/asr", "session/asr/engines",
		"session/asr/local", "session/asr/models", "session/asr/openai", "session/asr/realtime", "session/asr/riva/",
		"session/asr/router", "session/asr/sherpa/folder", "cmd/steno/config", "cmd/steno/terminal"},
	"cmd/steno/recognizers/recognizerstest": {"session/asr/models"},
	"cmd/steno/config": {"messages", "audio/media", "session/store", "session/store/blob", "session/store/valkey",
		"session/asr/models", "session/asr/realtime", "session/asr/riva", "gateway", "gateway/admission",
		"gateway/callbacks", "gateway/limits", "gateway/records", "gateway/web"},
}

// onlyIn lists where a library may be imported.
var onlyIn = map[string][]string{
	"github.com/rs/zerolog":                  {"gateway", "cmd"},
	"github.com/coder/websocket":             {"gateway", "loadtest", "session/asr/realtime"},
	"modernc.org/sqlite":                     {"session/store"},
	"github.com/valkey-io/valkey-go":         {"session/store"},
	"github.com/minio":                       {"session/store"},
	"github.com/johannesboyne/gofakes3":      {"session/store"},
	"github.com/ebitengine/purego":           {"session/asr/sphinx", "session/asr/sherpa"},
	"github.com/k2-fsa/sherpa-onnx-go-linux": {"session/asr/sherpa", "session/asr/moonshine/network"},
	"github.com/yalue/onnxruntime_go":        {"session/asr/moonshine/network"},
	"github.com/prometheus":                  {"gateway", "cmd"},
	"go.opentelemetry.io":                    {"gateway/tracing"},
	"github.com/yuin/goldmark":               {"gateway/openapi"},
	"github.com/go-audio":                    {},
}

// kits are the packages that only tests use. They may import package testing, which no other
// package may.
var kits = []string{
	"audio/audiotest", "cmd/cmdtest", "cmd/steno/endtoend", "cmd/steno/recognizers/recognizerstest",
	"gateway/dialect/dialecttest", "gateway/internal/pipenet",
	"session/addon/addontest", "session/asr/asrtest",
	"session/asr/sherpa/internal/fakemodels", "session/asr/sherpa/internal/onnxwriter",
	"session/asr/sherpa/sherpatest", "session/internal/fakeapi",
	"session/store/blob/blobtest", "session/store/embedded/embeddedtest",
	"session/store/embedded/limittest", "session/store/storetest",
	"session/store/valkeytest",
}

func TestDataRunsOneWay(t *testing.T) {
	for _, p := range packages(t) {
		for _, i := range p.Imports {
			checkImport(t, p.room(), i)
		}
	}
}

// TestKitsServeTestsAlone holds that a package which only tests import is listed as a kit, and a
// kit imported by nothing else.
func TestKitsServeTestsAlone(t *testing.T) {
	all := packages(t)
	imported := map[string]bool{} // by what runs
	for _, p := range all {
		for _, i := range p.Imports {
			own := strings.TrimPrefix(i, "steno/")
			if isKit(p.room()) {
				continue
			}
			imported[own] = true
			if isKit(own) || own == "testing" {
				t.Errorf("%s imports %s, which is for tests", p.room(), own)
			}
		}
	}
	for _, p := range all {
		if p.Name != "main" && !isKit(p.room()) && !imported[p.room()] {
			t.Errorf("only tests import %s: list it in kits", p.room())
		}
	}
	for _, kit := range kits {
		if !slices.ContainsFunc(all, func(p listedPackage) bool { return p.room() == kit }) {
			t.Errorf("there is no package %s", kit)
		}
	}
}

func isKit(room string) bool {
	return slices.ContainsFunc(kits, func(kit string) bool { return below(room, kit) })
}

// listedPackage is a package as go list describes it. Imports are those of its files without the
// tests.
type listedPackage struct {
	ImportPath, Name string
	Imports          []string
}

// room is the package's folder in the module.
func (p listedPackage) room() string { return strings.TrimPrefix(p.ImportPath, "steno/") }

// packages lists the module's packages. With a profile, go list would name those of a program
// twice.
func packages(t *testing.T) []listedPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-pgo=off", "-json=ImportPath,Name,Imports", "steno/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []listedPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listedPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func checkImport(t *testing.T, room, imported string) {
	if own, ok := strings.CutPrefix(imported, "steno/"); ok {
		if allowed, listed := allowedOf(room); listed && !slices.ContainsFunc(allowed,
			func(a string) bool { return covers(a, own) }) {
			t.Errorf("%s must not import %s", room, own)
		}
		return
	}
	for library, rooms := range onlyIn {
		if below(imported, library) && !slices.ContainsFunc(rooms, func(r string) bool { return below(room, r) }) {
			t.Errorf("%s must not import %s", room, imported)
		}
	}
}

// covers reports whether an entry of mayImport allows a package.
func covers(entry, own string) bool {
	folder, whole := strings.CutSuffix(entry, "/")
	return own == folder || whole && below(own, folder)
}

// allowedOf finds the longest name that stands for the room.
func allowedOf(room string) ([]string, bool) {
	best := ""
	for name := range mayImport {
		if below(room, name) && len(name) > len(best) {
			best = name
		}
	}
	allowed, ok := mayImport[best]
	return allowed, ok
}

// below reports whether a path is the name or lies in its folder.
func below(path, name string) bool { return path == name || strings.HasPrefix(path, name+"/") }
