package rivaserver

import (
	"context"
	"errors"
	"io"
	"slices"

	"google.golang.org/grpc"

	"steno/audio"
	"steno/session/asr"
	"steno/session/asr/riva/enginepb"
	"steno/session/asr/riva/wire"
)

// maxAnswer bounds the audio in one message to a client, in samples: clients take 4 MB.
const maxAnswer = 60 * asr.Rate

type denoiseStream = grpc.BidiStreamingServer[enginepb.Audio, enginepb.Audio]

// Denoise serves [asr.Denoiser].
func (s *Server) Denoise(stream denoiseStream) error {
	denoiser, ok := s.config.Recognizer.(asr.Denoiser)
	if !ok {
		return unable("denoise")
	}
	return s.withCapacity(func() error {
		ctx, cancel := context.WithCancel(stream.Context())
		defer cancel()
		d, err := denoiser.Denoise(ctx)
		if err != nil {
			return err
		}
		return denoise(d, stream, incoming(s, stream))
	})
}

func denoise(d asr.DenoiseStream, stream denoiseStream, next func() (*enginepb.Audio, error)) error {
	var pcm wire.PCM
	for {
		message, err := next()
		ended := errors.Is(err, io.EOF)
		var ready []int16
		switch {
		case ended:
			ready, err = d.Close()
		case err == nil:
			ready, err = d.Write(pcm.Samples(message.GetAudio()))
		}
		if err == nil {
			err = sendAudio(stream, ready)
		}
		if err != nil || ended {
			return err
		}
	}
}

func sendAudio(stream denoiseStream, samples []int16) error {
	for part := range slices.Chunk(samples, maxAnswer) {
		if err := stream.Send(&enginepb.Audio{Audio: audio.AppendPCM(nil, part)}); err != nil {
			return err
		}
	}
	return nil
}
