package config

import (
	"maps"
	"slices"
	"time"

	"steno/gateway/records"
	"steno/session/store"
)

// Accounts are what is configured of accounts, by their names.
type Accounts map[string]Account

// Account is what is configured of one account.
type Account struct {
	// Quota is what it may have; nil: what the account default may.
	Quota     *store.Quota     `yaml:"quota"`
	Retention AccountRetention `yaml:"retention"`
	// StoreAudio and StoreTranscripts stand for those of requests that have none; nil: true.
	StoreAudio       *bool `yaml:"store_audio"`
	StoreTranscripts *bool `yaml:"store_transcripts"`
}

// AccountRetention is how long something of an account's finished jobs is kept: durations; empty:
// as long as that of all accounts.
type AccountRetention struct {
	Audio       string `yaml:"audio"`
	Transcripts string `yaml:"transcripts"`
	Messages    string `yaml:"messages"`
	Metadata    string `yaml:"metadata"`
}

// Policy returns how long something of all accounts is kept, and of those that have their own. What
// Check refuses is left out.
func (a Accounts) Policy(common Retention) records.Policy {
	return a.retention(common, func(string, ...any) {})
}

// retention is Policy, and reports what cannot work.
func (a Accounts) retention(common Retention, fault faults) records.Policy {
	all := records.Retention{
		Audio: common.Audio, Transcripts: common.Transcripts, Messages: common.Messages, Records: common.Finished,
	}
	p := records.Policy{Default: all, Accounts: map[string]records.Retention{}}
	for _, name := range slices.Sorted(maps.Keys(a)) {
		own := a[name].Retention
		if own == (AccountRetention{}) {
			continue
		}
		r := all
		for _, one := range []struct {
			key, text string
			into      *time.Duration
		}{
			{"audio", own.Audio, &r.Audio}, {"transcripts", own.Transcripts, &r.Transcripts},
			{"messages", own.Messages, &r.Messages}, {"metadata", own.Metadata, &r.Records},
		} {
			if one.text == "" {
				continue
			}
			d, err := time.ParseDuration(one.text)
			if err != nil || d != 0 && d < time.Minute {
				fault("accounts.%s.retention.%s must be 0s or at least 1m, not %q", name, one.key, one.text)
				continue
			}
			*one.into = d
		}
		p.Accounts[name] = r
	}
	return p
}

// Transient returns the parts of an account's jobs that are erased at their end unless a request
// has it otherwise.
func (a Accounts) Transient(account string) (parts store.Parts) {
	own := a[account]
	if own.StoreAudio != nil && !*own.StoreAudio {
		parts |= store.PartAudio
	}
	if own.StoreTranscripts != nil && !*own.StoreTranscripts {
		parts |= store.PartTranscripts | store.PartMessages
	}
	return parts
}

// check refuses names and values that cannot work.
func (a Accounts) check(fault faults) {
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if !store.IsAccount(name) {
			fault("accounts: %q must be up to 64 letters, digits, dots, hyphens and underscores", name)
		}
	}
	for name, q := range a.Quotas() {
		if q.Check() != nil {
			fault("accounts.%s.quota: no bound may be below 0, nor audio_hours_per_day 1000000 or more", name)
		}
	}
	a.retention(Retention{}, fault)
}

// Quotas returns the quotas of accounts that have one.
func (a Accounts) Quotas() map[string]store.Quota {
	all := map[string]store.Quota{}
	for name, account := range a {
		if account.Quota != nil {
			all[name] = *account.Quota
		}
	}
	return all
}

// checkOperators refuses names that no account can have.
func checkOperators(names []string, fault faults) {
	for _, name := range names {
		if !store.IsAccount(name) {
			fault("operators: %q is no name of an account", name)
		}
	}
}
