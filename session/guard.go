package session

import "steno/session/panics"

// guard does a writer's work. A panic ends the session, as a failure, with what there is. Called with in held.
func (s *Session) guard(work func() error) error {
	err := panics.Catch(work)
	if panics.In(err) != nil {
		return s.breakOff(ledgerFailure(err))
	}
	return err
}

// Break ends a recording that goes on because of a fault of whoever feeds it, as a failure, with what there is. It tells
// whether the session ends with that one.
func (s *Session) Break(cause error) bool {
	s.in.Lock()
	defer s.in.Unlock()
	if s.stopped {
		return false
	}
	f := ledgerFailure(cause)
	_ = s.breakOff(f) // that is f
	return s.Err() == error(f)
}

// conclude finishes the session. Where that panics, what there is is kept as that of a failed session.
func (s *Session) conclude() {
	err := panics.Catch(func() error { return s.finish(s.life) })
	if panics.In(err) != nil {
		s.fail(ledgerFailure(err))
		err = panics.Catch(func() error { return s.finishBroken(s.life) })
	}
	s.failOn(err)
}

// breakOff ends the running utterance of a lane that cannot go on.
func (l *lane) breakOff() {
	u := l.running
	if u == nil {
		return
	}
	l.running = nil
	_ = panics.Try(func() { u.end(l.fed, nil) }) // the panic that brought it here is told
}
