package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/google/uuid"

	"steno/audio"
	"steno/audio/media"
	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/redact"
	"steno/session/store"
)

// addons makes the result of what was heard, and a recording without what must not be heard.
func (a *attempt) addons(ctx context.Context) error {
	if a.heard == nil {
		return nil
	}
	wanted := addon.NewRecorded(a.request, a.server.deps.Ways)
	result, err := wanted.Result(ctx, *a.heard)
	if err != nil {
		return fmt.Errorf("add-ons: %w", err)
	}
	if silences := a.everywhere(widened(wanted.Silences())); len(silences) > 0 {
		if err := a.silence(ctx, silences); err != nil {
			return fmt.Errorf("silence what is hidden: %w", err)
		}
	}
	result.Diarization = a.apart
	a.result = result
	return nil
}

// silenceMargin is silent before and after what is hidden, in seconds: recognizers' times are no more exact.
const silenceMargin = 0.05

func widened(spans []redact.Span) []redact.Span {
	for i := range spans {
		spans[i].Start, spans[i].End = max(spans[i].Start-silenceMargin, 0), spans[i].End+silenceMargin
	}
	return spans
}

// silence keeps a copy of the recording in which the spans are silent, as FLAC: whatever the original's format, it takes no
// more than its samples, and silence takes next to nothing. The job's end puts it in the place of the original.
func (a *attempt) silence(ctx context.Context, spans []redact.Span) error {
	s, r := a.server, a.lease.Record
	if err := s.afterwards.cuts.Take(ctx, 0); err != nil {
		return err
	}
	defer s.afterwards.cuts.Give()
	source, err := s.deps.Store.OpenUpload(ctx, r.Account, a.upload())
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }() // was only read
	stream, err := s.deps.Media.Open(ctx, source.Path())
	if err != nil {
		return err
	}
	defer func() { _ = stream.Close() }() // all was read, or an error told
	id := uuid.NewString()
	writer, err := s.deps.Store.NewUpload(ctx, id)
	if err != nil {
		return err
	}
	defer func() { _ = writer.Discard() }() // does nothing where it was kept
	if err := a.encode(ctx, stream, writer, spans); err != nil {
		return errors.Join(ctx.Err(), keepFailed(err))
	}
	if err := a.keepSilenced(ctx, writer); err != nil {
		return err
	}
	a.silenced = id
	return nil
}

// encode writes the recording without what lies in the spans.
func (a *attempt) encode(ctx context.Context, stream *media.Stream, to io.Writer, spans []redact.Span) error {
	f := stream.Format()
	flac, err := a.server.deps.Media.Encode(ctx, f, a.bytes/int64(f.FrameBytes()), to)
	if err != nil {
		return err
	}
	defer func() { _ = flac.Close() }() // ended, or an error told
	written, err := silent(stream, flac, f, spans)
	if err != nil {
		return err
	}
	if written != a.bytes {
		return fmt.Errorf("decoded %d bytes, and %d before", written, a.bytes)
	}
	return flac.Finish()
}

// keepSilenced commits the copy, as what the original was.
func (a *attempt) keepSilenced(ctx context.Context, copied store.UploadWriter) error {
	account := a.lease.Record.Account
	original, err := a.server.deps.Store.Upload(ctx, account, a.upload())
	if err != nil {
		return err
	}
	seconds, channels := a.seconds, a.channels
	if _, err := copied.Commit(ctx, store.Upload{
		Account: account, Filename: flacName(original.Filename), Extension: "flac", Source: original.Source, Duration: &seconds,
		Channels: &channels, CreatedAt: messages.Stamp(time.Now()).Time,
	}); err != nil {
		return keepFailed(err)
	}
	return nil
}

// silent copies samples, without what lies in the spans.
func silent(from io.Reader, to io.Writer, f audio.Format, spans []redact.Span) (written int64, err error) {
	buf := make([]byte, pieceSize/f.FrameBytes()*f.FrameBytes())
	for {
		n, readErr := io.ReadFull(from, buf)
		form := redact.Format{Encoding: f.Encoding.String(), BitDepth: f.BitDepth, SampleRate: f.SampleRate, Channels: f.Channels}
		if !redact.Silence(buf[:n], written, spans, form) {
			return written, fmt.Errorf("no silence in the format %+v", form)
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return written, err
		}
		written += int64(n)
		switch {
		case errors.Is(readErr, io.EOF) || errors.Is(readErr, io.ErrUnexpectedEOF):
			return written, nil
		case readErr != nil:
			return written, readErr
		}
	}
}

// flacName is the name of a file that has become FLAC.
func flacName(name string) string {
	if name == "" {
		return ""
	}
	return strings.TrimSuffix(name, path.Ext(name)) + ".flac"
}

// upload is the one that the job's audio came from.
func (a *attempt) upload() string {
	if a.lease.Record.Upload != "" {
		return a.lease.Record.Upload
	}
	return a.lease.Record.ID // it was fetched
}
