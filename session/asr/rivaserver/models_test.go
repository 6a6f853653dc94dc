package rivaserver_test

import (
	"reflect"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"steno/session/asr"
	"steno/session/asr/riva"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/rivaserver"
	"steno/session/asr/schedule"
	"steno/session/asr/scripted"
)

func TestConfigurationListsModels(t *testing.T) {
	a := &capableRecognizer{models: []asr.Model{
		{Name: "zip", Languages: []string{"en", "tl", "tlh"}, Partials: true},
		{Name: "turbo", Languages: []string{"en"}, Detects: true},
	}}
	a.Recognizer = scripted.New(scripted.Config{})
	client, address := serveRaw(t, rivaserver.Config{Recognizer: a, Name: "able", Drain: time.Nanosecond})
	ask := func(name string) (entries []map[string]string) {
		answer, err := client.GetRivaSpeechRecognitionConfig(t.Context(),
			&rivapb.RivaSpeechRecognitionConfigRequest{ModelName: name})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range answer.ModelConfig {
			entries = append(entries, c.Parameters)
		}
		return entries
	}
	turbo := map[string]string{"language_code": "en-US", "steno_code": "en", "type": "offline", "sample_rate": "16000",
		"steno_detects": "true"}
	want := []map[string]string{
		{"language_code": "en-US", "steno_code": "en", "type": "online", "sample_rate": "16000"},
		{"language_code": "fil-PH", "steno_code": "tl", "type": "online", "sample_rate": "16000"}, turbo,
	}
	if got := ask(""); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := ask("turbo"); !reflect.DeepEqual(got, []map[string]string{turbo}) {
		t.Errorf("one model: %v", got)
	}
	a.models = []asr.Model{{Name: "new", Languages: []string{"de"}}}
	models, err := dial(t, riva.Config{Address: address}).Models(t.Context())
	if err != nil || !reflect.DeepEqual(models, a.models) {
		t.Errorf("asked anew: %v, %v", models, err)
	}
	a.err = asr.ErrUnavailable
	_, err = client.GetRivaSpeechRecognitionConfig(t.Context(), &rivapb.RivaSpeechRecognitionConfigRequest{})
	if status.Code(err) != codes.Unavailable {
		t.Errorf("unavailable: %v", err)
	}
}

// A recognizer that lists no models is served all the same.
func TestConfigurationWithoutModels(t *testing.T) {
	_, r := watch(t, nil)
	if models, err := r.Models(t.Context()); err != nil || len(models) != 0 {
		t.Errorf("models %v, %v", models, err)
	}
}

func TestFiguresOfModels(t *testing.T) {
	c := scriptedEngine(scripted.Config{})
	c.Models = func() []schedule.Figures {
		return []schedule.Figures{{
			Model: "m", Calls: 2, Jobs: 3, LargestBatch: 2, Waiting: [6]int{1, 2, 3, 3, 1}, Queued: time.Second,
			LongestQueued: 2 * time.Second, Decoding: 3 * time.Second, LongestDecode: 4 * time.Second,
			Audio:   5 * time.Second,
			Shed:    map[string]int{"late": 6},
			Classes: [6]schedule.ClassFigures{schedule.Final: {Decoding: 7 * time.Second, Processor: 8 * time.Second}},
		}}
	}
	_, address := serveRaw(t, c)
	f, err := dial(t, riva.Config{Address: address}).Figures(t.Context())
	if err != nil || len(f.Models) != 1 {
		t.Fatalf("figures %v, %v", f, err)
	}
	m := f.Models[0]
	if m.Name != "m" || m.Calls != 2 || m.Jobs != 3 || m.LargestBatch != 2 || m.Waiting != 10 || m.QueueSeconds != 1 ||
		m.LongestQueueSeconds != 2 || m.DecodeSeconds != 3 || m.LongestDecodeSeconds != 4 || m.AudioSeconds != 5 ||
		m.Shed["late"] != 6 {
		t.Errorf("figures %v", m)
	}
	if final := m.Classes[0]; final.DecodeSeconds != 7 || final.ProcessorSeconds != 8 {
		t.Errorf("finals %v", final)
	}
}
