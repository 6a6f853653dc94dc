package gladia

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"steno/messages"
)

func TestParse(t *testing.T) {
	audio := Message{Kind: KindAudio, Audio: []byte("AB\xff\xfe")} // QUL//g==
	for _, tc := range []struct {
		name, text string
		want       Message
	}{
		{"plain", `{"type":"audio_chunk","data":{"chunk":"QUL//g=="}}`, audio},
		{"spaced, other order", " {\n\"data\" : { \"chunk\" : \"QUL//g==\" } ,\t\"type\":\"audio_chunk\" }\r\n", audio},
		{"escaped slashes", `{"type":"audio_chunk","data":{"chunk":"QUL\/\/g=="}}`, audio},
		{"escaped letters", `{"type":"audio_chun\u006b","data":{"chunk":"\u0051UL//g=="}}`, audio},
		{"no padding", `{"type":"audio_chunk","data":{"chunk":"QUL//g"}}`, audio},
		{"in lines", `{"type":"audio_chunk","data":{"chunk":"QUL/\r\n/g==\n"}}`, audio},
		{"further fields", `{"type":"audio_chunk","id":[{}],"data":{"chunk":"QUL//g==","n":1}}`, audio},
		{"last of two", `{"type":"x","type":"audio_chunk","data":{"chunk":"QUL//g=="}}`, audio},
		{"keep-alive", `{"type":"audio_chunk","data":{"chunk":""}}`, Message{Kind: KindKeepAlive}},
		{"stop", `{"type":"stop_recording"}`, Message{Kind: KindStop}},
		{"stop with data", `{"data":{"chunk":"x"},"type":"stop_recording"}`, Message{Kind: KindStop}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := Parse([]byte(tc.text))
			if err != nil {
				t.Fatal(err)
			}
			if got.Kind != tc.want.Kind || !bytes.Equal(got.Audio, tc.want.Audio) {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

func TestParseClientFaults(t *testing.T) {
	long := strings.Repeat("é", 100)
	for _, tc := range []struct{ text, want string }{
		{``, ErrNotJSON.Error()},
		{`hello`, ErrNotJSON.Error()},
		{`[]`, ErrNotJSON.Error()},
		{`null`, ErrNotJSON.Error()},
		{`{}`, ErrNotJSON.Error()},
		{`{"type":3}`, ErrNotJSON.Error()},
		{`{"type":null}`, ErrNotJSON.Error()},
		{`{"type":"audio_chunk","data":{"chunk":"QUL/"}}x`, ErrNotJSON.Error()},
		{`{"type":"audio_chunk","data":{"chunk":"QUL/`, ErrNotJSON.Error()},
		{`{"type":"audio_chunk"}`, ErrNoChunk.Error()},
		{`{"type":"audio_chunk","data":null}`, ErrNoChunk.Error()},
		{`{"type":"audio_chunk","data":{}}`, ErrNoChunk.Error()},
		{`{"type":"audio_chunk","data":{"chunk":7}}`, ErrNoChunk.Error()},
		{`{"type":"audio_chunk","data":"QUL/"}`, ErrNoChunk.Error()},
		{`{"type":"audio_chunk","data":{"chunk":"Q"}}`, ErrNotBase64.Error()},
		{`{"type":"audio_chunk","data":{"chunk":"QU L"}}`, ErrNotBase64.Error()},
		{`{"type":"audio_chunk","data":{"chunk":"QQ==QQ=="}}`, ErrNotBase64.Error()},
		{`{"type":"audio_chunk","data":{"chunk":"==="}}`, ErrNotBase64.Error()},
		{`{"type":"ready\n"}`, `unknown message type "ready\n"`},
		{`{"type":"` + long + `"}`, `unknown message type "` + long[:2*40] + `…"`},
		{strings.Repeat(`{"data":`, 1000) + `1` + strings.Repeat(`}`, 1000), ErrNotJSON.Error()},
	} {
		got, err := Parse([]byte(tc.text))
		if err == nil || err.Error() != tc.want {
			t.Errorf("%.60s: got %+v, %v; want %s", tc.text, got, err, tc.want)
		}
	}
	if _, err := Parse(make([]byte, messages.MaxTextFrame+1)); !errors.Is(err, ErrFrameTooBig) {
		t.Errorf("got %v", err)
	}
}

func audioFrame(audio []byte) []byte {
	text := append([]byte(`{"type":"audio_chunk","data":{"chunk":"`), base64.StdEncoding.EncodeToString(audio)...)
	return append(text, `"}}`...)
}

// Every length around the blocks that are decoded at a time comes back as it was.
func TestParseClientLengths(t *testing.T) {
	source := rand.NewChaCha8([32]byte{1})
	for _, n := range []int{1, 2, 3, 4, 3071, 3072, 3073, 3074, 6143, 6144, 6145, 100_000} {
		audio := make([]byte, n)
		_, _ = source.Read(audio)
		got, err := Parse(audioFrame(audio))
		if err != nil || got.Kind != KindAudio || !bytes.Equal(got.Audio, audio) {
			t.Errorf("%d bytes: %d came back, %v", n, len(got.Audio), err)
		}
	}
}

func TestParseClientInPlace(t *testing.T) {
	audio := bytes.Repeat([]byte{1, 2, 3}, 1<<20)
	frame := audioFrame(audio)
	text := bytes.Clone(frame)
	n := testing.AllocsPerRun(5, func() {
		copy(text, frame)
		if m, err := Parse(text); err != nil || len(m.Audio) != len(audio) {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkParseClient(b *testing.B) {
	frame := audioFrame(make([]byte, 3200))
	text := bytes.Clone(frame)
	b.SetBytes(int64(len(frame)))
	b.ReportAllocs()
	for b.Loop() {
		copy(text, frame)
		if _, err := Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

// FuzzParse holds the quick reader against the general one: what it takes, both take alike.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		`{"type":"audio_chunk","data":{"chunk":"QUL//g=="}}`, `{"data":{"chunk":""},"type":"audio_chunk"}`,
		`{"type":"stop_recording"}`, `{"type":"audio_chunk","data":{"chunk":"QQ\n=="}}`, `{"type":"\ud800"}`,
		"{\"type\":\"\xff\"}",
		`{"type":"audio_chunk","data":{"chunk":"Q\/=="}} `, `{"type":{"type":"a"}}`,
		`{"data":{"chunk":"QQ"},"data":{"chunk":"QQ"}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, plain := plainChunk(text)
		general, generalErr := parseGeneral(bytes.Clone(text))
		valid := json.Valid(text)
		got, err := Parse(text)
		if err != nil && len(err.Error()) > 400 {
			t.Errorf("an error of %d bytes", len(err.Error()))
		}
		if err == nil && !valid {
			t.Errorf("took what is not JSON: %q", text)
		}
		if plain && (err == nil) != (generalErr == nil) {
			t.Errorf("quick: %v, general: %v", err, generalErr)
		}
		if got.Kind != general.Kind || !bytes.Equal(got.Audio, general.Audio) {
			t.Errorf("quick: %v, general: %v", got, general)
		}
	})
}
