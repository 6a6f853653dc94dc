package uploads

import (
	"context"
	"errors"
	"net/http"

	"github.com/google/uuid"

	"steno/gateway/outbound"
	"steno/messages"
	"steno/session/store"
)

// FetchFor stores the recording at an address with user and password as a new upload. It waits
// until a file may be fetched for the account, and for the file: the user and password in the
// address are stored nowhere.
func (s *Service) FetchFor(ctx context.Context, owner Owner, address string, probe Probe) (store.Upload, error) {
	if err := s.awaitFetch(ctx, owner.Account); err != nil {
		return store.Upload{}, err
	}
	defer s.fetches.Release(owner.Account, 1)
	return s.Fetch(ctx, owner, uuid.NewString(), address, probe)
}

// Fetch stores the recording at an address as an upload with an id.
func (s *Service) Fetch(ctx context.Context, owner Owner, id, address string, probe Probe) (store.Upload, error) {
	writer, err := s.NewUpload(ctx, owner, id)
	if err != nil {
		return store.Upload{}, err
	}
	defer func() { _ = writer.Discard() }() // does nothing after Commit
	limits := outbound.FetchLimits{Bytes: s.Limits.Upload, Duration: s.Limits.Fetch, Rate: s.Limits.FetchRate,
		Patience: s.Limits.FetchPatience}
	got, err := s.Outbound.Fetch(ctx, address, writer, limits)
	if ctx.Err() != nil {
		return store.Upload{}, ctx.Err()
	}
	if err != nil {
		return store.Upload{}, fetchProblem(err)
	}
	u := owner.Upload(cleanName(got.Filename))
	u.Source, _ = outbound.SplitUser(address)
	return s.Commit(ctx, writer, u, got.ContentType, probe)
}

// fetchProblem returns the problem of a recording that cannot be fetched. The status shows whose
// fault it is: 422 an address that cannot be used, because it is not allowed or nothing is there,
// 413 a file that is too large, 502 a server that fails or cannot be reached, 504 one that is too
// slow. Errors of the store stay as they are.
func fetchProblem(err error) error {
	status := 0
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
		{errors.Is(err, outbound.ErrChanged), http.StatusBadGateway},
		{errors.Is(err, outbound.ErrPage), http.StatusUnprocessableEntity},
		{isStatus && answered.Code >= 500, http.StatusBadGateway},
		{isStatus, http.StatusUnprocessableEntity},
		{errors.Is(err, outbound.ErrURL), http.StatusUnprocessableEntity},
		{errors.Is(err, outbound.ErrRefusedAddress), http.StatusUnprocessableEntity},
		{errors.Is(err, outbound.ErrRedirect), http.StatusUnprocessableEntity},
	} {
		if rule.is {
			status = rule.status
			break
		}
	}
	if status == 0 {
		return WriteProblem(err)
	}
	return &messages.Problem{Status: status, Message: "audio_url cannot be fetched: " + outbound.Message(err), Err: err}
}
