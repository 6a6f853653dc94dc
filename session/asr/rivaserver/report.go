package rivaserver

import (
	"context"

	"steno/session/asr/riva/enginepb"
	"steno/session/asr/schedule"
)

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
		}
	}
	return report, nil
}

func modelFigures(f schedule.Figures) *enginepb.ModelFigures {
	waiting, shed := 0, make(map[string]int64, len(f.Shed))
	for _, n := range f.Waiting {
		waiting += n
	}
	for reason, n := range f.Shed {
		shed[reason] = int64(n)
	}
	return &enginepb.ModelFigures{
		Name: f.Model, Calls: int64(f.Calls), Jobs: int64(f.Jobs), Waiting: int32(waiting),
		QueueSeconds: f.Queued.Seconds(), DecodeSeconds: f.Decoding.Seconds(), AudioSeconds: f.Audio.Seconds(),
		LongestQueueSeconds: f.LongestQueued.Seconds(), LongestDecodeSeconds: f.LongestDecode.Seconds(),
		LargestBatch: int32(f.LargestBatch), Shed: shed,
	}
}
