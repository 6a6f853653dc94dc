package live

import (
	"context"
	"errors"
	"time"

	"steno/session"
)

// quotasEvery is how often accounts are looked at that may have used their audio of the day.
const quotasEvery = time.Second

// audioName is the name of the count of an account's audio, in milliseconds.
func audioName(account string) string { return "audio/" + holder{account: account}.digest() }

// audio returns how much audio the unfinished sessions of this node have been sent, by account;
// where it has no bound the account is left out.
func (s *site) audio() map[string]time.Duration {
	all := map[string]time.Duration{}
	for _, e := range s.registry.list() {
		open := e.opened.Load()
		if open != nil && !isClosed(open.Done()) && s.cfg.Accounts.BoundsAudio(e.record.Account) {
			all[e.record.Account] += open.Audio()
		}
	}
	return all
}

// Running returns how much audio the unfinished sessions of an account have been sent, on this node
// and, as they have reported, on the others.
func (s *Sessions) Running(account string) time.Duration {
	return s.audio()[account] + s.registry.othersHeard(account)
}

// endExhausted begins to end the sessions of accounts that have used their audio of the day.
func (s *Sessions) endExhausted() error {
	ctx, cancel := context.WithTimeout(s.life, s.reportTimeout())
	defer cancel()
	var errs []error
	for account, here := range s.audio() {
		text, err := s.cfg.Accounts.Exhausted(ctx, account, here+s.registry.othersHeard(account))
		errs = append(errs, err)
		if text != "" {
			s.exhaust(account, text)
		}
	}
	return errors.Join(errs...)
}

// exhaust ends the recordings of an account. Their clients get what was said until then.
func (s *Sessions) exhaust(account, text string) {
	for _, e := range s.registry.list() {
		open := e.opened.Load()
		if e.record.Account != account || open == nil || open.Stopped() ||
			!e.seat.Exhausted.CompareAndSwap(nil, &text) {
			continue
		}
		s.cfg.Accounts.End(account)
		s.cfg.Log.Info().Str("session", e.id).Str("account", account).
			Msg("session ended: its account has used its audio")
		s.tasks.Go(func() {
			if err := open.Exhaust(s.life, text); err != nil && !errors.Is(err, session.ErrAbandoned) {
				s.logTrouble(e.id, err, "session not stopped")
			}
		})
	}
}
