package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"steno/audio"
	"steno/cmd/steno/config"
	"steno/cmd/steno/decoding"
	"steno/messages"
)

// TestTranscribeEndsUtterancesAsJobsDo compares its default with that of a request without the
// option.
func TestTranscribeEndsUtterancesAsJobsDo(t *testing.T) {
	var c commands
	parser, err := kong.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse([]string{"transcribe", "x.wav"}); err != nil {
		t.Fatal(err)
	}
	got, err := c.Transcribe.request(audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 16000, Channels: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := messages.NewPreRecordedRequest("http://a/b", messages.LanguageConfig{Languages: []string{}}).Live()
	want.Encoding, want.BitDepth, want.SampleRate, want.Channels = got.Encoding, got.BitDepth, got.SampleRate,
		got.Channels
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the request is %+v, that of a job %+v", got, want)
	}
}

// TestTranscribeNothing expects one line that names the file and what is wrong with it.
func TestTranscribeNothing(t *testing.T) {
	header := "RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\x3e\x00\x00\x00\x7d\x00\x00\x02\x00\x10\x00data\x00\x00\x00\x00"
	for content, want := range map[string]string{header: "the recording holds no audio",
		header + "\x01": "the recording holds no audio"} {
		path := filepath.Join(t.TempDir(), "nothing.wav")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := steno(t, "transcribe", "--json", "--engine", "scripted", path)
		if out != "" || !errors.Is(err, decoding.ErrNoAudio) || err.Error() != path+": "+want {
			t.Errorf("%d bytes: %q, error %v", len(content), out, err)
		}
	}
}

// TestTranscribeRefuses wants each flag named with its rule, and the file with what is wrong with
// it.
func TestTranscribeRefuses(t *testing.T) {
	silence, missing := filepath.Join(t.TempDir(), "silence.wav"), filepath.Join(t.TempDir(), "none.wav")
	wav := "RIFF\x28\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\x3e\x00\x00\x00\x7d\x00\x00\x02\x00\x10\x00data\x04\x00\x00\x00\x00\x00\x00\x00"
	if err := os.WriteFile(silence, []byte(wav), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"--endpointing 99 " + silence, "--endpointing must not be greater than 10"},
		{"--endpointing 0 --language xx " + silence,
			"--endpointing must not be less than 0.01; --language must be one of af, am, "},
		{"http://127.0.0.1:1/a.wav",
			"fetch recording: address is not allowed: prohibited IP address: 127.0.0.1 is not a permitted destination (denied by: 127.0.0.0/8); --allow-private permits"},
		{missing, missing + ": The recording could not be read: stat " + missing + ": no such file or directory"},
	} {
		out, err := steno(t, append([]string{"transcribe", "--engine", "scripted"}, strings.Fields(c.args)...)...)
		if out != "" || err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %q, error %v, want %s", c.args, out, err, c.want)
		}
	}
}

// TestTranscribeStandardInput wants what comes in whole, in a file that is removed afterwards, and
// no more than a recording may have.
func TestTranscribeStandardInput(t *testing.T) {
	cfg := config.Config{Recordings: config.Recordings{UploadBytes: 9}}
	path, remove, err := transcribeCmd{File: "-"}.local(t.Context(), cfg,
		&process{stdin: strings.NewReader("recording")})
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	remove()
	if _, left := os.Stat(path); err != nil || string(got) != "recording" || left == nil {
		t.Errorf("%q, %v, afterwards: %v", got, err, left)
	}
	_, _, err = transcribeCmd{File: "-"}.local(t.Context(), cfg, &process{stdin: strings.NewReader("recordings")})
	if err == nil || !strings.Contains(err.Error(), "more than 9 bytes") {
		t.Errorf("more than may be read: %v", err)
	}
}

// TestTranscribeJSON prints the result as a job has it, without what live sessions have beside.
func TestTranscribeJSON(t *testing.T) {
	var out bytes.Buffer
	live := messages.LiveResult{Transcription: messages.Transcription{FullTranscript: "Hi.",
		Utterances: []messages.Utterance{{Text: "Hi."}}}}
	if err := (transcribeCmd{JSON: true}).print(&out, live); err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(out.Bytes(), &fields); err != nil || len(fields) != 2 || fields["metadata"] == nil ||
		fields["transcription"] == nil ||
		!strings.Contains(out.String(), `"full_transcript": "Hi."`) {
		t.Errorf("printed %s, %v", out.String(), err)
	}
}

func TestHelp(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"help", "--help"}, {"help serve", "serve --help"}, {"help models pull", "models pull --help"},
		{"help keys", "keys --help"}, {"--version", "version"},
	} {
		got, err := steno(t, strings.Fields(c.args)...)
		want, err2 := steno(t, strings.Fields(c.want)...)
		if err != nil || err2 != nil || got != want || !strings.Contains(got, "steno") {
			t.Errorf("steno %s: %v\n%s\nwant %v\n%s", c.args, err, got, err2, want)
		}
	}
	if got, err := steno(t, "help", "nonsense"); err == nil || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("help for nonsense: %q, %v", got, err)
	}
}
