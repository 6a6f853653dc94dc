package twilio

import (
	"net/http/httptest"
	"slices"
	"testing"

	"steno/gateway/dialect"
	"steno/gateway/dialect/dialecttest"
)

// Whatever comes first, and whatever follows a start, is a request, audio, or a fault.
func FuzzMessages(f *testing.F) {
	seeds := []string{
		`{"event":"connected"}`,
		`{"event":"start","start":{"streamSid":"M","tracks":["inbound","outbound"],` +
			`"customParameters":{"token":"k"},"mediaFormat":{"encoding":"audio/x-mulaw","sampleRate":8000}}}`,
		`{"event":"media","media":{"track":"inbound","chunk":"3","timestamp":"60","payload":"AAAA"}}`,
		`{"event":"stop"}`,
	}
	for _, a := range seeds {
		for _, b := range seeds {
			f.Add([]byte(a), []byte(b))
		}
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		o, err := open(httptest.NewRequest("GET", "/twilio?endpointing=0.3", nil))
		if err != nil {
			t.Fatal(err)
		}
		start, err := o.Listen(dialect.Message{Data: slices.Clone(first)})
		if start == nil {
			return
		}
		if err != nil || start.Request == nil {
			t.Fatalf("%+v, %v", start, err)
		}
		to := &dialecttest.Input{}
		o.Parser.Text(slices.Clone(second), to)
		if long := o.Parser.Stream(1<<16, to); len(second) > 1<<16 != (long.Write(second) != nil) {
			t.Error("the limit does not hold")
		} else {
			long.End()
		}
		if len(to.Marks)+len(to.Updates)+len(to.Answers)+len(to.Ended) > 0 {
			t.Errorf("asked for %+v", to)
		}
	})
}
