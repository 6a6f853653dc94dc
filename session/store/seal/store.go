package seal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"steno/messages"
	"steno/session"
	"steno/session/store"
)

// Inner is the store that keeps what is sealed.
type Inner interface {
	store.Store
	store.DataKeys
	// SessionNotes returns the notes of a session of an account; it needs no claim.
	SessionNotes(ctx context.Context, account, id string) ([]session.Note, error)
}

// Store is a store that seals what another one keeps. Its methods may be called from any goroutine.
type Store struct {
	Inner
	ring    *Ring
	scratch string
}

var _ store.Store = (*Store)(nil)

// New returns a store that seals what inner keeps. scratch is a folder for recorded files in the
// clear while programs read them; it is made, and emptied.
func New(inner Inner, ring *Ring, scratch string) (*Store, error) {
	if err := os.RemoveAll(scratch); err != nil {
		return nil, fmt.Errorf("empty scratch folder: %w", err)
	}
	if err := os.MkdirAll(scratch, 0o700); err != nil {
		return nil, fmt.Errorf("make scratch folder: %w", err)
	}
	return &Store{inner, ring, scratch}, nil
}

// Ring returns the keys.
func (s *Store) Ring() *Ring { return s.ring }

// Unsealed returns the store that keeps what is sealed.
func (s *Store) Unsealed() store.Store { return s.Inner }

// Close implements store.Store.
func (s *Store) Close() error { return errors.Join(s.Inner.Close(), os.RemoveAll(s.scratch)) }

// Damages implements store.Inspected.
func (s *Store) Damages() []store.Damage {
	if inner, ok := s.Inner.(store.Inspected); ok {
		return inner.Damages()
	}
	return nil
}

// LeaseJob implements store.Queue.
func (s *Store) LeaseJob(ctx context.Context, node string, ttl time.Duration, w store.Want) (l store.Lease, ok bool,
	err error) {
	l, ok, err = s.Inner.LeaseJob(ctx, node, ttl, w)
	if ok && err == nil {
		l.Record, err = s.ring.record(ctx, l.Record, nil)
	}
	return l, ok, err
}

// auth seals or opens the header of a record's callback, which stays empty where there is none.
func auth(ctx context.Context, r *store.Record,
	f func(ctx context.Context, account, about string, p []byte) ([]byte, error)) (err error) {
	if len(r.CallbackAuth) > 0 {
		r.CallbackAuth, err = f(ctx, r.Account, "auth\x00"+r.ID, r.CallbackAuth)
	}
	return err
}

// Create implements store.Records.
func (s *Store) Create(ctx context.Context, r store.Record) (err error) {
	if err = auth(ctx, &r, s.ring.Seal); err != nil {
		return err
	}
	if r.Result, err = s.ring.sealResult(ctx, r.Account, r.ID, r.Result); err != nil {
		return err
	}
	if r.Params, err = s.ring.sealParams(ctx, r.Account, r.ID, r.Params); err != nil {
		return err
	}
	if r.CustomMetadata, err = s.ring.sealMetadata(ctx, r.Account, r.ID, r.CustomMetadata); err != nil {
		return err
	}
	return s.Inner.Create(ctx, r)
}

// Get implements store.Records.
func (s *Store) Get(ctx context.Context, account, id string) (store.Record, error) {
	r, err := s.Inner.Get(ctx, account, id)
	if err == nil {
		if err = auth(ctx, &r, s.ring.Open); errors.Is(err, store.ErrErased) || errors.Is(err, store.ErrDamaged) {
			r.CallbackAuth, err = nil, nil
		}
	}
	return s.ring.record(ctx, r, err)
}

// ByToken implements store.Records.
func (s *Store) ByToken(ctx context.Context, hash []byte) (store.Record, error) {
	r, err := s.Inner.ByToken(ctx, hash)
	return s.ring.record(ctx, r, err)
}

func eventAbout(id string, k messages.Key) string {
	return fmt.Sprintf("event\x00%s\x00%d\x00%s", id, k.Kind, k.String())
}

// events opens the bodies of events. Those whose key was forgotten, or that are damaged, are left
// out.
func (r *Ring) events(ctx context.Context, account, id string, list []messages.Event, err error) ([]messages.Event,
	error) {
	kept := list[:0]
	for _, e := range list {
		body, failed := r.Open(ctx, account, eventAbout(id, e.Key), e.Body)
		if failed == nil {
			e.Body = body
			kept = append(kept, e)
		} else if !errors.Is(failed, store.ErrErased) && !errors.Is(failed, store.ErrDamaged) {
			return nil, failed
		}
	}
	return kept, err
}

// Events implements store.Sessions.
func (s *Store) Events(ctx context.Context, account, id string, after int64, limit int) ([]messages.Event, error) {
	list, err := s.Inner.Events(ctx, account, id, after, limit)
	return s.ring.events(ctx, account, id, list, err)
}

func (r *Ring) accountEvents(ctx context.Context, account string,
	list []store.AccountEvent) ([]store.AccountEvent, error) {
	kept := list[:0]
	for _, a := range list {
		opened, err := r.events(ctx, account, a.Session, []messages.Event{a.Event}, nil)
		if err != nil {
			return nil, err
		}
		if len(opened) == 1 {
			a.Event = opened[0]
			kept = append(kept, a)
		}
	}
	return kept, nil
}

// AccountEvents implements store.AccountLog.
func (s *Store) AccountEvents(ctx context.Context, account string, after int64, limit int) ([]store.AccountEvent, bool,
	error) {
	list, whole, err := s.Inner.AccountEvents(ctx, account, after, limit)
	if err == nil {
		list, err = s.ring.accountEvents(ctx, account, list)
	}
	return list, whole, err
}

// AccountTail implements store.AccountLog.
func (s *Store) AccountTail(ctx context.Context, account string, limit int) ([]store.AccountEvent, error) {
	list, err := s.Inner.AccountTail(ctx, account, limit)
	if err == nil {
		list, err = s.ring.accountEvents(ctx, account, list)
	}
	return list, err
}

// OpenAudio implements store.Sessions.
func (s *Store) OpenAudio(ctx context.Context, account, id string) (store.Audio, error) {
	a, err := s.Inner.OpenAudio(ctx, account, id)
	if err != nil || a.Size() == 0 {
		return a, err
	}
	notes, err := s.SessionNotes(ctx, account, id)
	var l layout
	if err == nil {
		l, err = s.ring.journalNotes(ctx, account, id, notes)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open audio: %w", err), a.Close())
	}
	if len(l.segments) == 0 {
		return a, nil
	}
	r := &reader{layout: &l, read: readerAt(a), size: a.Size}
	return &opened{io.NewSectionReader(r, 0, a.Size()), a, a.Size()}, nil
}

// readerAt reads at places of what can be read from one on.
func readerAt(a io.ReadSeeker) readAt {
	return func(p []byte, off int64) (int, error) {
		if _, err := a.Seek(off, io.SeekStart); err != nil {
			return 0, err
		}
		n, err := io.ReadFull(a, p)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = io.EOF
		}
		return n, err
	}
}

// opened is a recording in the clear.
type opened struct {
	*io.SectionReader
	sealed io.Closer
	size   int64
}

func (o *opened) Size() int64  { return o.size }
func (o *opened) Close() error { return o.sealed.Close() }

func deliveryAbout(d *store.Delivery) string {
	return fmt.Sprintf("delivery\x00%s\x00%s\x00%d", d.Job, d.Event, d.Seq)
}

func (r *Ring) deliveries(ctx context.Context, list []store.Delivery) (sealed []store.Delivery, err error) {
	for _, d := range list {
		if len(d.Body) > 0 {
			if d.Body, err = r.Seal(ctx, d.Account, deliveryAbout(&d), d.Body); err != nil {
				return nil, err
			}
		}
		sealed = append(sealed, d)
	}
	return sealed, nil
}

// Enqueue implements store.Outbox.
func (s *Store) Enqueue(ctx context.Context, list ...store.Delivery) error {
	sealed, err := s.ring.deliveries(ctx, list)
	if err != nil {
		return err
	}
	return s.Inner.Enqueue(ctx, sealed...)
}

// FinishJob implements store.Queue.
func (s *Store) FinishJob(ctx context.Context, l store.Lease, o store.Outcome, callbacks ...store.Delivery) error {
	sealed, err := s.ring.deliveries(ctx, callbacks)
	if err == nil {
		o.Result, err = s.ring.sealResult(ctx, l.Record.Account, l.Record.ID, o.Result)
	}
	if err == nil {
		o.Params, err = s.ring.sealParams(ctx, l.Record.Account, l.Record.ID, o.Params)
	}
	if err != nil {
		return err
	}
	return s.Inner.FinishJob(ctx, l, o, sealed...)
}

// ClaimDeliveries implements store.Outbox. Bodies whose key was forgotten are not sent: their
// deliveries are dead.
func (s *Store) ClaimDeliveries(ctx context.Context, ttl time.Duration, limit int) ([]store.Delivery, error) {
	list, err := s.Inner.ClaimDeliveries(ctx, ttl, limit)
	kept := list[:0]
	for _, d := range list {
		body, failed := s.ring.Open(ctx, d.Account, deliveryAbout(&d), d.Body)
		if failed == nil {
			d.Body = body
			kept = append(kept, d)
			continue
		}
		if !errors.Is(failed, store.ErrErased) && !errors.Is(failed, store.ErrDamaged) {
			continue // its claim ends by its time
		}
		if failed := s.Dead(ctx, d, 0, "its body cannot be read any more"); failed != nil {
			return kept, failed
		}
	}
	return kept, err
}

func secretAbout(account string) string { return "secret\x00" + account }

// AddSecret implements store.Secrets.
func (s *Store) AddSecret(ctx context.Context, secret store.Secret) error {
	return sealedSecrets{s.Inner, s.ring}.AddSecret(ctx, secret)
}

// Secrets implements store.Secrets.
func (s *Store) Secrets(ctx context.Context, account string) ([]store.Secret, error) {
	return sealedSecrets{s.Inner, s.ring}.Secrets(ctx, account)
}

// RemoveSecret implements store.Secrets.
func (s *Store) RemoveSecret(ctx context.Context, account, text string) error {
	return sealedSecrets{s.Inner, s.ring}.RemoveSecret(ctx, account, text)
}

// Secrets returns the secrets of callbacks of which inner keeps what is sealed.
func Secrets(inner store.Secrets, ring *Ring) store.Secrets { return sealedSecrets{inner, ring} }

// sealedSecrets implements store.Secrets.
type sealedSecrets struct {
	inner store.Secrets
	ring  *Ring
}

// find returns a secret as it is kept; empty: there is none of that text.
func (s sealedSecrets) find(ctx context.Context, account, text string) (kept string, err error) {
	list, err := s.inner.Secrets(ctx, account)
	for _, one := range list {
		clear, failed := s.ring.openText(ctx, account, secretAbout(account), one.Text)
		if failed == nil && clear == text {
			return one.Text, err
		}
	}
	return "", err
}

func (s sealedSecrets) AddSecret(ctx context.Context, secret store.Secret) error {
	if err := store.CheckSecret(secret); err != nil {
		return fmt.Errorf("add secret: %w", err)
	}
	kept, err := s.find(ctx, secret.Account, secret.Text)
	if err == nil && kept != "" {
		err = fmt.Errorf("add secret: %w", store.ErrExists)
	}
	if err == nil {
		secret.Text, err = s.ring.sealText(ctx, secret.Account, secretAbout(secret.Account), secret.Text)
	}
	if err != nil {
		return err
	}
	return s.inner.AddSecret(ctx, secret)
}

func (s sealedSecrets) Secrets(ctx context.Context, account string) (opened []store.Secret, err error) {
	list, err := s.inner.Secrets(ctx, account)
	for _, one := range list {
		clear, failed := s.ring.openText(ctx, one.Account, secretAbout(one.Account), one.Text)
		if errors.Is(failed, store.ErrErased) {
			continue
		}
		if failed != nil {
			return nil, failed
		}
		one.Text = clear
		opened = append(opened, one)
	}
	return opened, err
}

func (s sealedSecrets) RemoveSecret(ctx context.Context, account, text string) error {
	kept, err := s.find(ctx, account, text)
	if err != nil {
		return err
	}
	if kept == "" {
		kept = text
	}
	return s.inner.RemoveSecret(ctx, account, kept)
}

// scratchFile makes a file of a scratch folder.
func scratchFile(folder string) (*os.File, error) {
	return os.CreateTemp(filepath.Clean(folder), "clear-")
}
