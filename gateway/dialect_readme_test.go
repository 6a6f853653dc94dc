package gateway

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// clientTests are the tests that run the clients of README's table of clients, or that send what
// these send where they cannot run.
var clientTests = map[string][]string{
	"`openai`, Python and npm":               {"TestFilesByClients", "TestOpenAIRealtimePython", "TestStreamingByNode"},
	"Open WebUI":                             {"TestOpenWebUISends"},
	"pipecat, OpenAI's services":             {"TestAgents", "TestPluginsSpeak"},
	"LiveKit, OpenAI's plugin":               {"TestAgents", "TestPluginsSpeak"},
	"`deepgram-sdk`, Python":                 {"TestFilesByClients", "TestDeepgramLivePython"},
	"`@deepgram/sdk`, npm":                   {"TestFilesByClients", "TestStreamingByNode"},
	"pipecat, Deepgram's services":           {"TestAgents", "TestPluginsSpeak"},
	"LiveKit, Deepgram's plugin":             {"TestAgents", "TestPluginsSpeak"},
	"`assemblyai`, Python":                   {"TestFilesByClients", "TestAssemblyAIPython"},
	"`assemblyai`, npm":                      {"TestFilesByClients", "TestStreamingByNode"},
	"pipecat, AssemblyAI's service":          {"TestAgents", "TestPluginsSpeak"},
	"LiveKit, AssemblyAI's plugin":           {"TestAgents", "TestPluginsSpeak"},
	"Vosk's WebSocket clients":               {"TestVoskAnswers"},
	"Home Assistant and others with Wyoming": {"TestHomeAssistantSpeaks", "TestWyomingPython"},
	"Twilio, Telnyx, Vonage":                 {"TestCalls"},
}

var (
	clientRow = regexp.MustCompile(`(?m)^\| ([^|]+) \| [^|]+ \|$`)
	testFunc  = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
)

// Every client in README's table has a test.
func TestReadmesClientsAreTested(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "## Already have a client?")
	section, _, _ = strings.Cut(section, "\n## ")
	var listed []string
	for _, row := range clientRow.FindAllStringSubmatch(section, -1) {
		if row[1] != "client" {
			listed = append(listed, row[1])
		}
	}
	slices.Sort(listed)
	if want := slices.Sorted(maps.Keys(clientTests)); !slices.Equal(listed, want) {
		t.Errorf("README has %q, tests are known for %q", listed, want)
	}
	files, err := filepath.Glob("dialect_*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]bool{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range testFunc.FindAllStringSubmatch(string(text), -1) {
			declared[f[1]] = true
		}
	}
	for client, tests := range clientTests {
		for _, name := range tests {
			if !declared[name] {
				t.Errorf("%s: there is no %s", client, name)
			}
		}
	}
}
