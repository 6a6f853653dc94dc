package riva

import (
	"context"
	"io"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"steno/session/asr"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/riva/wire"
)

// answering is a call whose server has answered these messages.
type answering struct {
	grpc.ClientStream
	left    []*rivapb.StreamingRecognizeResponse
	trailer metadata.MD
}

func (a *answering) Recv() (*rivapb.StreamingRecognizeResponse, error) {
	if len(a.left) == 0 {
		return nil, io.EOF
	}
	next := a.left[0]
	a.left = a.left[1:]
	return next, nil
}

func (a *answering) Trailer() metadata.MD                         { return a.trailer }
func (a *answering) Send(*rivapb.StreamingRecognizeRequest) error { return nil }
func (a *answering) CloseSend() error                             { return nil }

// FuzzAnswers checks that whatever a server answers, a final has words in order, within the audio,
// that all have text and a probability.
func FuzzAnswers(f *testing.F) {
	for _, a := range []*rivapb.SpeechRecognitionAlternative{
		{Transcript: "he was", Confidence: 0.5},
		{Transcript: "he was", Words: []*rivapb.WordInfo{
			{Word: "he", StartTime: 100, EndTime: 300, Confidence: 0.9},
			{Word: "was", StartTime: -7, EndTime: 1 << 30, Confidence: 2},
		}, LanguageCode: []string{"en-US"}},
	} {
		p, err := proto.Marshal(&rivapb.StreamingRecognizeResponse{Results: []*rivapb.StreamingRecognitionResult{
			{Alternatives: []*rivapb.SpeechRecognitionAlternative{a}, IsFinal: true},
		}})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p, p, "1s", "noise")
	}
	f.Fuzz(func(t *testing.T, first, second []byte, queued, dropped string) {
		a := &answering{trailer: metadata.Pairs(wire.QueuedKey, queued, wire.DroppedKey, dropped)}
		for _, p := range [][]byte{first, second} {
			m := new(rivapb.StreamingRecognizeResponse)
			if proto.Unmarshal(p, m) != nil {
				return
			}
			a.left = append(a.left, m)
		}
		checkAnswers(t, a)
	})
}

func checkAnswers(t *testing.T, a *answering) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	s := &stream{ctx: t.Context(), callCtx: ctx, cancel: cancel, call: a, finalTimeout: 1 << 40}
	if err := s.Write(make([]int16, asr.Rate)); err != nil {
		t.Fatal(err)
	}
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	final, err := s.Recv()
	if err != nil {
		return
	}
	if !final.Final || final.Queued < 0 {
		t.Errorf("%+v", final)
	}
	from := 0
	for _, w := range final.Words {
		if w.Text == "" || w.Start < from || w.End < w.Start || w.End > asr.Rate ||
			!(w.Confidence >= 0 && w.Confidence <= 1) {
			t.Errorf("word %+v of %+v", w, final.Words)
		}
		from = w.Start
	}
}
