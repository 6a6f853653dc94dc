package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"
)

// ErrQuota means that the account has as much of something as it may.
var ErrQuota = errors.New("quota is used up")

// Accounts is what accounts may have and what they have used. Names of accounts are those of keys.
type Accounts interface {
	// SetQuota sets the quota of an account, in place of the one before. Errors: ErrInvalid (an
	// empty account, a bound below 0).
	SetQuota(ctx context.Context, account string, q Quota) error
	// RemoveQuota removes the quota of an account. Errors: ErrNotFound.
	RemoveQuota(ctx context.Context, account string) error
	// Quotas returns the quotas that were set, by account.
	Quotas(ctx context.Context) (map[string]Quota, error)

	// Standing returns how much of its quota an account has. It is cheap.
	Standing(ctx context.Context, account string) (Standing, error)
	// Stored returns about how many bytes the uploads and finished recordings of an account have.
	Stored(ctx context.Context, account string) (int64, error)
	// Spend takes one of most units that an account has of something in each window: all of them
	// may be taken together, and come back evenly. It returns how many are left, and no wait; or,
	// where there is none, nothing is taken and wait is how long it is until there is one. Nodes
	// that share the store share the units. What was taken may be forgotten by a restart. Errors:
	// ErrInvalid (a name that is empty, most below 1, a window under a millisecond).
	Spend(ctx context.Context, account, what string, most int64, window time.Duration) (left int64,
		wait time.Duration, err error)

	// Usage returns what accounts have used, ascending by day, account, model and item. Outcomes
	// add to it (see [Outcome.Use]), each once, whatever becomes of their records. It is kept for
	// UsageKept days. Errors: ErrInvalid (the last day is before the first).
	Usage(ctx context.Context, q UsageQuery) ([]Usage, error)
}

// accountForm is what the name of an account looks like.
var accountForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// IsAccount tells whether a text may be the name of an account that has keys: up to 64 letters,
// digits, dots, hyphens and underscores.
func IsAccount(name string) bool { return accountForm.MatchString(name) }

// Quota is what an account may have at most. 0 is no bound.
type Quota struct {
	// Sessions is how many live sessions may be unfinished, on all nodes.
	Sessions int64 `json:"sessions,omitempty" yaml:"sessions" bounds:"0.."`
	// Opens is how many live sessions and recorded jobs may be made a minute.
	Opens int64 `json:"opens_per_minute,omitempty" yaml:"opens_per_minute" bounds:"0.."`
	// AudioHours is how many hours of audio, live and recorded, each channel counted, are
	// transcribed a day, UTC.
	AudioHours float64 `json:"audio_hours_per_day,omitempty" yaml:"audio_hours_per_day"`
	// Storage is how many bytes uploads and recordings may have.
	Storage int64 `json:"storage_bytes,omitempty" yaml:"storage_bytes" bounds:"0.."`
	// Callbacks is how many callbacks are sent a second.
	Callbacks int64 `json:"callbacks_per_second,omitempty" yaml:"callbacks_per_second" bounds:"0.."`
}

// Audio is the bound of the audio of a day; 0 for none.
func (q Quota) Audio() time.Duration { return time.Duration(q.AudioHours * float64(time.Hour)) }

// Check returns ErrInvalid for a quota that no account can have.
func (q Quota) Check() error {
	if min(q.Sessions, q.Opens, q.Storage, q.Callbacks) < 0 || !(q.AudioHours >= 0 && q.AudioHours < maxAudioHours) {
		return fmt.Errorf("a bound is below 0 or too large: %w", ErrInvalid)
	}
	return nil
}

// maxAudioHours is as good as no bound.
const maxAudioHours = 1e6

// Standing is how much of its quota an account has.
type Standing struct {
	// Sessions is how many of its live sessions are unfinished.
	Sessions int64
	// Audio is how much audio of today's outcomes, by UTC and the store's clock, is in its usage.
	Audio time.Duration
}

// The items of usage. Those of add-ons have the name of the add-on after a colon.
const (
	UsedSessions  = "live_sessions"
	UsedLive      = "live_audio_ms" // each channel counted, as in all audio
	UsedJobs      = "recorded_jobs"
	UsedFailed    = "failed_jobs" // whose audio is not counted
	UsedRecorded  = "recorded_audio_ms"
	UsedAddon     = "addon_audio_ms:" // of sessions and jobs that the add-on was asked for
	UsedCharacter = "characters:"     // that an add-on has written, of the results
)

// Use is an amount of an item that a session or a job has used.
type Use struct {
	Model  string // of the API; may be empty
	Item   string // never empty
	Amount int64  // above 0
}

// Usage is what an account has used of an item on a day.
type Usage struct {
	Day     time.Time // 0 h, UTC, of the day on which the sessions and jobs have ended
	Account string
	Use
}

// UsageQuery is a question for usage.
type UsageQuery struct {
	From, To time.Time // the first day and the last, UTC
	Account  string    // empty: all
}

// UsageKept is for how many days usage is kept.
const UsageKept = 800

const dayLength = 24 * time.Hour

// Day is the number of the day, UTC, since 1970.
func Day(t time.Time) int64 { return t.Unix() / int64(dayLength/time.Second) }

// DayOf is the beginning of the day of a number.
func DayOf(number int64) time.Time { return time.Unix(number*int64(dayLength/time.Second), 0).UTC() }

// Check returns ErrInvalid for a question that has no answer.
func (q UsageQuery) Check() error {
	if q.From.After(q.To) {
		return fmt.Errorf("the last day is before the first: %w", ErrInvalid)
	}
	return nil
}

// CheckUse returns ErrInvalid for an outcome with a use that cannot be counted.
func CheckUse(list []Use) error {
	for _, u := range list {
		if u.Item == "" || u.Amount <= 0 {
			return fmt.Errorf("use of %q: %w", u.Item, ErrInvalid)
		}
	}
	return nil
}

// SortUsage sorts as [Accounts.Usage] does.
func SortUsage(all []Usage) {
	slices.SortFunc(all, func(a, b Usage) int {
		return cmp.Or(a.Day.Compare(b.Day), cmp.Compare(a.Account, b.Account), cmp.Compare(a.Model, b.Model),
			cmp.Compare(a.Item, b.Item))
	})
}
