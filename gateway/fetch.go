package gateway

import (
	"context"
	"errors"
	"net/http"

	"steno/gateway/outbound"
	"steno/messages"
	"steno/session/store"
)

// fetch keeps the recording at an address as an upload of that id.
func (s *Server) fetch(ctx context.Context, account, id, address string, look looker) (store.Upload, error) {
	writer, err := s.deps.Store.NewUpload(ctx, id)
	if err != nil {
		return store.Upload{}, err
	}
	defer func() { _ = writer.Discard() }() // does nothing where it was kept
	limits := outbound.FetchLimits{Bytes: s.cfg.Limits.Upload, Duration: s.cfg.Limits.Fetch, Rate: s.cfg.Limits.FetchRate}
	got, err := s.deps.Outbound.Fetch(ctx, address, writer, limits)
	if ctx.Err() != nil {
		return store.Upload{}, ctx.Err()
	}
	if err != nil {
		return store.Upload{}, fetchFailed(err)
	}
	return s.keep(ctx, writer, store.Upload{Account: account, Filename: cleanName(got.Filename), Source: address}, look)
}

// fetchFailed tells whose fault it is that a recording cannot be fetched: 422 an address that cannot be used, as one
// that is not allowed or where nothing is, 413 a file too large, 502 and 504 a server that fails or cannot be reached,
// too slowly, or takes too long.
func fetchFailed(err error) error {
	status, ok := 0, false
	answered, isStatus := errors.AsType[*outbound.StatusError](err)
	for _, rule := range []struct {
		is     bool
		status int
	}{
		{errors.Is(err, outbound.ErrTooLarge), http.StatusRequestEntityTooLarge},
		{errors.Is(err, outbound.ErrTimeout), http.StatusGatewayTimeout},
		{errors.Is(err, outbound.ErrSlow), http.StatusGatewayTimeout},
		{errors.Is(err, outbound.ErrUnreachable), http.StatusBadGateway},
		{errors.Is(err, outbound.ErrIncomplete), http.StatusBadGateway},
		{isStatus && answered.Code >= 500, http.StatusBadGateway},
		{isStatus, http.StatusUnprocessableEntity},
		{errors.Is(err, outbound.ErrURL), http.StatusUnprocessableEntity},
		{errors.Is(err, outbound.ErrRefusedAddress), http.StatusUnprocessableEntity},
		{errors.Is(err, outbound.ErrRedirect), http.StatusUnprocessableEntity},
	} {
		if rule.is {
			status, ok = rule.status, true
			break
		}
	}
	if !ok {
		return keepFailed(err) // the store's
	}
	return &messages.Problem{Status: status, Message: "audio_url cannot be fetched: " + outbound.Message(err), Err: err}
}
