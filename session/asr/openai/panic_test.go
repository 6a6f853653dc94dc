package openai_test

import (
	"net/http"
	"testing"

	"steno/session/asr"
	"steno/session/asr/openai"
	"steno/session/panics"
)

// panicking is a transport with a fault.
type panicking struct{}

func (panicking) RoundTrip(*http.Request) (*http.Response, error) { panic("boom") }

// A panic during a request fails its utterance alone: the slot is for others again.
func TestPanicLeavesTheSlot(t *testing.T) {
	r, err := openai.New(openai.Config{
		URL: "http://127.0.0.1:1/v1", Model: "m", Concurrency: 1, Client: &http.Client{Transport: panicking{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := recognize(t, r, asr.Params{}); panics.In(err) == nil {
		t.Errorf("error %v, want the panic", err)
	}
	if waiting, free := r.QueueForTest(); waiting != 0 || free != 1 {
		t.Errorf("%d wait, %d slots are free", waiting, free)
	}
}
