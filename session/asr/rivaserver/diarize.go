package rivaserver

import (
	"context"
	"errors"
	"fmt"
	"io"

	"google.golang.org/grpc"

	"steno/session/asr"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/riva/wire"
)

// maxSpeakers bounds the speakers expected in a recording.
const maxSpeakers = 1000

// Diarize serves [asr.Diarizer].
func (s *Server) Diarize(stream grpc.ClientStreamingServer[enginepb.DiarizeRequest, enginepb.Diarized]) error {
	diarizer, ok := s.config.Recognizer.(asr.Diarizer)
	if !ok {
		return unable("tell speakers apart")
	}
	return s.withCapacity(func() error {
		if !s.recordings.TryAcquire("", 1) {
			s.figures.refuse()
			return errBusy
		}
		defer s.recordings.Release("", 1)
		turns, err := s.diarize(stream.Context(), diarizer, incoming(s, stream))
		if err != nil {
			return err
		}
		return stream.SendAndClose(turns)
	})
}

func (s *Server) diarize(ctx context.Context, diarizer asr.Diarizer, next func() (*enginepb.DiarizeRequest,
	error)) (*enginepb.Diarized, error) {
	most := int(s.config.LongestRecording.Seconds() * asr.Rate)
	want, samples, err := readRecording(next, most)
	if err != nil {
		return nil, err
	}
	turns, err := diarizer.Diarize(ctx, samples, want)
	if err != nil {
		return nil, err
	}
	answer := &enginepb.Diarized{}
	for _, t := range turns {
		answer.Turns = append(answer.Turns, &enginepb.Turn{Start: int64(t.Start), End: int64(t.End),
			Speaker: int32(t.Speaker)})
	}
	return answer, nil
}

// readRecording reads until the client ends, at most that many samples. The first message has the
// number of speakers, any message may have audio.
func readRecording(next func() (*enginepb.DiarizeRequest, error), most int) (want asr.Speakers, samples []int16,
	err error) {
	var pcm wire.PCM
	for first := true; ; first = false {
		request, err := next()
		if errors.Is(err, io.EOF) {
			return want, samples, nil
		}
		if err != nil {
			return want, nil, err
		}
		if first {
			want.Exactly = int(request.GetSpeakers())
			if want.Exactly < 0 || want.Exactly > maxSpeakers {
				return want, nil, invalid("speakers: %d, want 0 to %d", want.Exactly, maxSpeakers)
			}
		}
		more := pcm.Samples(request.GetAudio())
		if len(samples)+len(more) > most {
			return want, nil, fmt.Errorf("%w: recording of more than %d s", asr.ErrTooLong, most/asr.Rate)
		}
		samples = append(samples, more...)
	}
}
