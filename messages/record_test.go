package messages

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestJobGolden(t *testing.T) {
	created := Stamp(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	completed := Stamp(time.Date(2026, 1, 2, 4, 5, 6, 7_900_000, time.FixedZone("", 3600)))
	for _, tc := range []struct {
		name string
		job  Job
		want string
	}{
		{"queued", Job{ID: "45463597-20b7-4af7-b3b3-f5fb778203ab", RequestID: "G-45463597", Version: 2,
			Status: StatusQueued, CreatedAt: created, Kind: JobLive},
			`{"id":"45463597-20b7-4af7-b3b3-f5fb778203ab","request_id":"G-45463597","version":2,"status":"queued","created_at":"2026-01-02T03:04:05.000Z",` +
				`"completed_at":null,"error_code":null,"post_session_metadata":{},"kind":"live","file":null,"request_params":null,"result":null}`},
		{"done", Job{
			ID: "x", RequestID: "G-x", Version: 2, Status: StatusDone, CreatedAt: created, CompletedAt: &completed,
			Kind:           JobPreRecorded,
			CustomMetadata: Object{"a": "b"}, PostSessionMetadata: Object{"c": json.Number("1.0")},
			File:          &File{ID: "f", Filename: ptr("a.mp3"), AudioDuration: ptr(12.4), NumberOfChannels: ptr(1)},
			RequestParams: json.RawMessage(`{"p":1}`), Result: json.RawMessage(`{"r":2}`),
		},
			`{"id":"x","request_id":"G-x","version":2,"status":"done","created_at":"2026-01-02T03:04:05.000Z","completed_at":"2026-01-02T03:05:06.007Z",` +
				`"custom_metadata":{"a":"b"},"error_code":null,"post_session_metadata":{"c":1.0},"kind":"pre-recorded",` +
				`"file":{"id":"f","filename":"a.mp3","source":null,"audio_duration":12.4,"number_of_channels":1},"request_params":{"p":1},"result":{"r":2}}`},
		{"error", Job{ID: "x", Status: StatusError, CreatedAt: created, CompletedAt: &completed, ErrorCode: ptr(408),
			CustomMetadata: Object{}, File: &File{ID: "f"}},
			`{"id":"x","request_id":"","version":0,"status":"error","created_at":"2026-01-02T03:04:05.000Z","completed_at":"2026-01-02T03:05:06.007Z",` +
				`"custom_metadata":{},"error_code":408,"post_session_metadata":{},"kind":"","file":{"id":"f","filename":null,"source":null,"audio_duration":null,"number_of_channels":null},` +
				`"request_params":null,"result":null}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := json.Marshal(tc.job)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
			var back Job
			if err := json.Unmarshal(got, &back); err != nil {
				t.Fatal(err)
			}
			if again, _ := json.Marshal(back); string(again) != tc.want {
				t.Errorf("it reads back as\n%s", again)
			}
		})
	}
}

func TestPageGolden(t *testing.T) {
	got, err := json.Marshal(Page{First: "a", Current: "b"})
	if want := `{"first":"a","current":"b","next":null,"items":[]}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestErrorBodyGolden(t *testing.T) {
	cause := errors.New("table jobs is locked")
	p := &Problem{Status: 400, Message: "Validation failed", ValidationErrors: []string{"channels must be an integer"},
		Err: cause}
	now := time.Date(2026, 1, 2, 3, 4, 5, 6_000_000, time.UTC)
	for _, tc := range []struct {
		p    *Problem
		want string
	}{
		{p, `{"timestamp":"2026-01-02T03:04:05.006Z","path":"/v2/live","request_id":"G-1","statusCode":400,"message":"Validation failed","validation_errors":["channels must be an integer"]}`},
		{&Problem{Status: 404, Err: cause},
			`{"timestamp":"2026-01-02T03:04:05.006Z","path":"/v2/live","request_id":"G-1","statusCode":404,"message":"Not Found"}`},
	} {
		got, err := json.Marshal(tc.p.Body(now, "/v2/live", "G-1"))
		if err != nil || string(got) != tc.want {
			t.Errorf("got %s, %v, want %s", got, err, tc.want)
		}
	}
	var err error = p
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), cause.Error()) {
		t.Errorf("%v hides its cause from the log", err)
	}
}

func TestTimestamp(t *testing.T) {
	at := Stamp(time.Date(2026, 1, 2, 3, 4, 5, 678_900_000, time.FixedZone("", -3600)))
	text, err := json.Marshal(at)
	if err != nil || string(text) != `"2026-01-02T04:04:05.678Z"` || at.String() != "2026-01-02T04:04:05.678Z" {
		t.Fatalf("%s, %v", text, err)
	}
	var back Timestamp
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, at) {
		t.Errorf("got %v, %v, want %v", back, err, at)
	}
	if err := json.Unmarshal([]byte(`"soon"`), &back); err == nil {
		t.Error("took what is no time")
	}
}

func TestSeconds(t *testing.T) {
	for samples, want := range map[int64]float64{
		0: 0, 160: 0.01, 1600: 0.1, 16000: 1, 7: 0, 8: 0.001, 23: 0.001, 24: 0.002, 16000*3*3600 + 160: 10800.01,
	} {
		if got := Seconds(samples); got != want {
			t.Errorf("%d samples: %v, want %v", samples, got, want)
		}
	}
	// Every tick of three hours has a short decimal.
	for tick := int64(0); tick < 3*3600*100; tick += 7 {
		if text := string(AppendFloat(nil, Seconds(tick*160))); len(text) > len("10800.01") {
			t.Fatalf("tick %d: %s", tick, text)
		}
	}
}

func TestIDs(t *testing.T) {
	for want, got := range map[string]string{
		"00_00000000": UtteranceID(0, 0), "07_00000123": UtteranceID(7, 123), "12_99999999": UtteranceID(12, 99999999),
		"00_100000000": UtteranceID(0, 100000000), "G-45463597": RequestID("45463597-20b7-4af7-b3b3-f5fb778203ab"),
		"G-ab": RequestID("ab"),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestCloses(t *testing.T) {
	codes := map[int]bool{1000: false, 1002: true, 1007: true, 1011: true, 1012: true, 1013: true, 4400: false,
		4401: false, 4409: false, 4410: false, 4413: false, 4429: false, 4503: true}
	last, seen := 0, map[int]bool{}
	for _, c := range Closes() {
		seen[c.Code] = true
		reconnect, known := codes[c.Code]
		if !known || c.Reconnect != reconnect {
			t.Errorf("%+v", c)
		}
		if c.Code < last || c.Reason == "" || len(c.Reason) > 123 {
			t.Errorf("%+v after %d", c, last)
		}
		last = c.Code
	}
	if len(seen) != len(codes) {
		t.Errorf("%d codes of closes", len(seen))
	}
}

func TestParsePatch(t *testing.T) {
	got, problem := ParsePatch([]byte(`{"a":{"b":1.0}}`))
	if want := (map[string]any{"a": map[string]any{"b": json.Number("1.0")}}); problem != nil ||
		!reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, problem)
	}
	full := `{"a":"` + strings.Repeat("x", MaxPatchBody-len(`{"a":""}`)) + `"}`
	if _, problem := ParsePatch([]byte(full)); problem != nil {
		t.Errorf("%d bytes: %v", len(full), problem)
	}
	for body, status := range map[string]int{
		full + " ": http.StatusRequestEntityTooLarge, `[]`: 400, ``: 400, `{`: 400, `{}{}`: 400,
		strings.Repeat(`{"a":`, 33) + "1" + strings.Repeat("}", 33): 400,
	} {
		if _, problem := ParsePatch([]byte(body)); problem == nil || problem.Status != status {
			t.Errorf("%.40s: got %v, want %d", body, problem, status)
		}
	}
}

func TestListsAreTransparent(t *testing.T) {
	words := []Word{{Word: " a"}}
	u := Utterance{Words: words}
	words = u.Words
	text, err := json.Marshal(struct {
		Nil  List[string] `json:"nil"`
		Some List[string] `json:"some"`
		None Object       `json:"none"`
	}{Some: []string{"<a>"}})
	if len(words) != 1 || err != nil || string(text) != `{"nil":[],"some":["\u003ca\u003e"],"none":{}}` {
		t.Errorf("%s, %v", text, err)
	}
}
