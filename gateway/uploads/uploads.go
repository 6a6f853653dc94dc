package uploads

import (
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"strings"

	"steno/audio/media"
	"steno/gateway/accounts"
	"steno/gateway/admission"
	"steno/gateway/limits"
	"steno/gateway/metrics"
	"steno/gateway/outbound"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/semaphore"
	"steno/session/store"
)

// maxWaiting bounds the uploads that wait for their file to be fetched.
const maxWaiting = 256

// Deps are the parts that a Service works with.
type Deps struct {
	Store     store.Uploads
	Media     *media.Decoder // nil, or without a sandbox: files are refused
	NoMedia   string         // tells clients why there is no decoder; may be empty
	Outbound  *outbound.Client
	Addresses *web.Addresses
	Policy    *admission.Policy
	Disk      *admission.Disk
	Accounts  *accounts.Accounts
	InFlight  *web.InFlight
	Metrics   *metrics.Metrics
	Limits    limits.Limits

	Probes         int // files that the decoder looks at, at a time
	Fetches        int // files that are fetched for uploads at a time
	AccountFetches int // of them, those of one account
}

// Service takes in and serves uploads. Its methods may be called from any goroutine.
type Service struct {
	Deps
	looks   *semaphore.Lanes     // at files, by key
	fetches *semaphore.Semaphore // by account
}

// New returns a service.
func New(d Deps) *Service {
	return &Service{
		Deps: d, looks: semaphore.NewLanes(d.Probes, shortLook, maxLooks),
		fetches: semaphore.New(int64(d.Fetches), int64(d.AccountFetches), maxWaiting),
	}
}

// Create stores a file that was sent in a form, or that is at an address.
func (s *Service) Create(w http.ResponseWriter, r *http.Request) error {
	if err := s.Check(r); err != nil {
		return err
	}
	if !s.InFlight.Enter() {
		return web.Refuse(http.StatusServiceUnavailable, "shutting down", s.Limits.RetryAfter)
	}
	defer s.InFlight.Leave()
	take := s.fromAddress
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil &&
		strings.HasPrefix(kind, "multipart/") {
		take = s.fromForm
	}
	upload, err := take(w, r)
	if err != nil {
		return err
	}
	web.TrailOf(r).Concern(upload.ID)
	web.WriteJSON(w, http.StatusOK, messages.Upload{AudioURL: s.Addresses.File(r, upload.ID),
		AudioMetadata: metadataOf(upload)})
	return nil
}

func metadataOf(u store.Upload) messages.AudioMetadata {
	m := messages.AudioMetadata{ID: u.ID, Filename: u.Filename, Source: u.Source, Extension: u.Extension, Size: u.Size}
	if u.Duration != nil {
		m.AudioDuration = Duration(*u.Duration)
	}
	if u.Channels != nil {
		m.NumberOfChannels = *u.Channels
	}
	return m
}

// Check returns a problem where no file of a request's key can be taken: there is no decoder, or no
// room.
func (s *Service) Check(r *http.Request) error {
	if err := s.CheckMedia(r.Context()); err != nil {
		return err
	}
	return s.CheckRoom(r)
}

// CheckRoom returns a problem, 507, where there is no room for a file of a request's key, or of its
// account.
func (s *Service) CheckRoom(r *http.Request) error {
	if err := s.Disk.CheckKey(web.PrincipalOf(r).Key); err != nil {
		return err
	}
	return s.Accounts.CheckStorage(r.Context(), web.Account(r), 1)
}

// Owner is whose an upload is.
type Owner struct {
	Account string
	Key     web.KeyHash // zero: not known
}

// OwnerOf returns the owner of what a request makes.
func OwnerOf(r *http.Request) Owner {
	p := web.PrincipalOf(r)
	return Owner{p.Account, p.Key}
}

// OwnerOfRecord returns the owner of what the job of a record makes.
func OwnerOfRecord(r store.Record) Owner {
	o := Owner{Account: r.Account}
	copy(o.Key[:], r.Key)
	return o
}

// Upload returns an upload of the owner.
func (o Owner) Upload(filename string) store.Upload {
	u := store.Upload{Account: o.Account, Filename: filename}
	if o.Key != (web.KeyHash{}) {
		u.Key = o.Key[:]
	}
	return u
}

// NewUpload begins an upload, whose writer ends with a problem, 507, where there is no more room
// for its owner.
func (s *Service) NewUpload(ctx context.Context, owner Owner, id string) (store.UploadWriter, error) {
	writer, err := s.Store.NewUpload(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.Disk.Guard(ctx, writer, owner.Account, owner.Key), nil
}

// CheckMedia waits until the decoder was tried, and returns a problem, 501, where there is none
// that works.
func (s *Service) CheckMedia(ctx context.Context) error {
	reason := s.NoMedia
	if s.Media != nil {
		err := s.Media.Wait(ctx)
		if !errors.Is(err, media.ErrNoSandbox) {
			return err
		}
		reason = "no sandbox works for it"
	}
	why := "recorded files cannot be decoded on this server"
	if reason != "" {
		why += ": " + reason
	}
	return web.Problem(http.StatusNotImplemented, why)
}

// Find returns the id of the account's upload that an audio_url names, or "" for an address that is
// to be fetched. Its errors are problems, 422: an upload of this server that does not exist, or an
// address that cannot be used.
func (s *Service) Find(r *http.Request, audioURL string) (string, error) {
	id, own := s.Addresses.FileID(r, audioURL)
	if id != "" {
		_, err := s.Store.Upload(r.Context(), web.Account(r), id)
		if err == nil {
			return id, nil
		}
		if !errors.Is(err, store.ErrNotFound) {
			return "", err
		}
	}
	if own {
		return "", web.Problem(http.StatusUnprocessableEntity,
			"audio_url names a file that does not exist or was deleted")
	}
	bare, _ := outbound.SplitUser(audioURL)
	return "", s.Policy.CheckAddress("audio_url", bare)
}

// fromAddress stores the file at an address. An upload of this server is returned as it is.
func (s *Service) fromAddress(w http.ResponseWriter, r *http.Request) (store.Upload, error) {
	body, err := web.ReadBody(w, r, s.Limits.Body)
	if err != nil {
		return store.Upload{}, err
	}
	request, fault := messages.ParseUpload(body)
	if fault != nil && !json.Valid(body) { // a recording perhaps, as it is
		fault.ValidationErrors = []string{"the body must be valid JSON, or a form (multipart/form-data) with the " +
			"recording in its field audio"}
	}
	if fault != nil {
		return store.Upload{}, fault
	}
	id, err := s.Find(r, request.AudioURL)
	if err != nil {
		return store.Upload{}, err
	}
	if id != "" {
		return s.measured(r.Context(), web.Account(r), id)
	}
	return s.FetchFor(r.Context(), OwnerOf(r), request.AudioURL, (*media.Decoder).Measure)
}

// awaitFetch waits until a file may be fetched for the account, no longer than fetching it may
// take.
func (s *Service) awaitFetch(ctx context.Context, account string) error {
	ctx, cancel := context.WithTimeout(ctx, s.Limits.Fetch)
	defer cancel()
	err := s.fetches.Acquire(ctx, account, 1)
	if errors.Is(err, semaphore.ErrFull) || errors.Is(err, context.DeadlineExceeded) {
		return web.Refuse(http.StatusServiceUnavailable, "too many files are being fetched", s.Limits.RetryAfter)
	}
	return err
}
