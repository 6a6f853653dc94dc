package rivaserver

import (
	"context"
	"errors"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"steno/session/asr"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/schedule"
)

// figures counts calls, and bounds their number.
type figures struct {
	mu           sync.Mutex
	calls        int
	waiting      int
	finals       int64
	abandoned    int64
	failed       int64
	refused      int64
	audioSamples int64
	finalTime    time.Duration
}

// record is the count of one call, guarded by figures.mu.
type record struct {
	samples int
	ended   time.Time // when the utterance ended; zero before
	left    bool
}

// admit counts a call unless there are that many already.
func (f *figures) admit(most int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.calls >= most {
		f.refused++
		return false
	}
	f.calls++
	return true
}

// refuse counts a call that was admitted and turned away.
func (f *figures) refuse() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refused++
}

// release ends a call that is not an utterance.
func (f *figures) release() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls--
}

// enter admits an utterance.
func (f *figures) enter(most int) (*record, bool) { return &record{}, f.admit(most) }

// audio counts samples of a call. It returns false if they make it longer than an utterance may be.
func (f *figures) audio(r *record, samples int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.samples+samples > asr.MaxSamples {
		return false
	}
	r.samples += samples
	return true
}

func (f *figures) seconds(r *record) float64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return float64(r.samples) / asr.Rate
}

// end marks a call as waiting for its final. The reader may call it after leave.
func (f *figures) end(r *record) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !r.left {
		r.ended = time.Now()
		f.waiting++
	}
}

// leave counts how an utterance ended; nil: with its final.
func (f *figures) leave(r *record, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r.left = true
	f.calls--
	if !r.ended.IsZero() {
		f.waiting--
	}
	switch {
	case err == nil:
		f.finals++
		f.audioSamples += int64(r.samples)
		f.finalTime += time.Since(r.ended)
	case errors.Is(err, context.Canceled), status.Code(err) == codes.Canceled:
		f.abandoned++
	default:
		f.failed++
	}
}

func (f *figures) report() *enginepb.Figures {
	f.mu.Lock()
	defer f.mu.Unlock()
	return &enginepb.Figures{
		Calls: int32(f.calls), Waiting: int32(f.waiting),
		Finals: f.finals, Abandoned: f.abandoned, Failed: f.failed, Refused: f.refused,
		AudioSeconds: float64(f.audioSamples) / asr.Rate, FinalSeconds: f.finalTime.Seconds(),
	}
}

// GetFigures reports the counts of the server and of the recognizer.
func (s *Server) GetFigures(context.Context, *enginepb.FiguresRequest) (*enginepb.Figures, error) {
	report := s.figures.report()
	report.MaxCalls = int32(s.config.MaxCalls)
	if s.config.Figures != nil {
		report.Recognizer = s.config.Figures()
	}
	if s.config.Models != nil {
		for _, f := range s.config.Models() {
			report.Models = append(report.Models, modelFigures(f))
			report.Slots = int32(f.Slots)
		}
	}
	return report, nil
}

// classes is the order of the classes in ModelFigures: a new one comes last.
var classes = []schedule.Class{schedule.Final, schedule.FirstPartial, schedule.Partial, schedule.Replay,
	schedule.Lagged, schedule.Guess}

func modelFigures(f schedule.Figures) *enginepb.ModelFigures {
	waiting, shed := 0, make(map[string]int64, len(f.Shed))
	for _, n := range f.Waiting {
		waiting += n
	}
	for reason, n := range f.Shed {
		shed[reason] = int64(n)
	}
	var by []*enginepb.ClassFigures
	for _, class := range classes {
		c := f.Classes[class]
		by = append(by, &enginepb.ClassFigures{
			Jobs: int64(c.Jobs), Waiting: int32(c.Waiting), OldestSeconds: c.Oldest.Seconds(),
			QueueSeconds:  c.Queued.Seconds(),
			DecodeSeconds: c.Decoding.Seconds(), AudioSeconds: c.Audio.Seconds(),
			ProcessorSeconds: c.Processor.Seconds(),
		})
	}
	return &enginepb.ModelFigures{
		Name: f.Model, Calls: int64(f.Calls), Jobs: int64(f.Jobs), Waiting: int32(waiting),
		QueueSeconds: f.Queued.Seconds(), DecodeSeconds: f.Decoding.Seconds(), AudioSeconds: f.Audio.Seconds(),
		LongestQueueSeconds: f.LongestQueued.Seconds(), LongestDecodeSeconds: f.LongestDecode.Seconds(),
		LargestBatch: int32(f.LargestBatch), Shed: shed, Classes: by, OnlyPartials: f.OnlyPartials,
	}
}
