package embedded

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"steno/session/store"
)

// freeSessions starts a resume window, or the session's grace, for every unfinished session, since
// no handle of an earlier process is left. One that was never claimed keeps the rest of its time if
// that is longer, one that was stopped is due immediately.
func (s *sessions) freeSessions(ctx context.Context) error {
	now := s.now()
	_, err := s.write.ExecContext(ctx, `UPDATE records SET deadline = CASE
			WHEN stopped THEN ?
			WHEN status = 'queued' THEN max(coalesce(deadline, 0), ?)
			WHEN grace > 0 THEN ? + min(grace, ?)
			ELSE ? END
		WHERE kind = 'live' AND status NOT IN ('done', 'error')`,
		now.UnixMilli(), now.Add(s.resumeWindow).UnixMilli(), now.UnixMilli(), s.resumeWindow.Milliseconds(),
		now.Add(s.resumeWindow).UnixMilli())
	if err != nil {
		return fmt.Errorf("free sessions: %w", err)
	}
	return nil
}

// Adopt implements store.Sessions.
func (s *sessions) Adopt(ctx context.Context, limit int) ([]store.Record, error) {
	held, err := json.Marshal(s.held())
	if err != nil {
		return nil, fmt.Errorf("list due sessions: %w", err)
	}
	rows, err := s.read.QueryContext(ctx, `SELECT `+columns+` FROM records INDEXED BY records_by_deadline
		WHERE kind = 'live' AND status NOT IN ('done', 'error') AND deadline <= ?
		AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY deadline, n LIMIT ?`,
		s.now().UnixMilli(), string(held), max(limit, 0))
	return collect(rows, err, "list due sessions", scanRecord)
}

// held lists the sessions that have a handle.
func (s *sessions) held() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := make([]string, 0, len(s.claims))
	for id := range s.claims {
		ids = append(ids, id)
	}
	return ids
}

// release sets when a session is due, after d, unless it is finished.
func (s *sessions) release(ctx context.Context, n int64, d time.Duration) error {
	_, err := s.write.ExecContext(ctx, `UPDATE records SET deadline = ?
		WHERE n = ? AND kind = 'live' AND status NOT IN ('done', 'error')`, s.now().Add(d).UnixMilli(), n)
	if err != nil {
		return fmt.Errorf("release session: %w", err)
	}
	return nil
}
