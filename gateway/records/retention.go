package records

import (
	"maps"
	"slices"
	"time"

	"steno/session/store"
)

// Retention is how long something of finished jobs is kept, from their end; 0: for ever.
type Retention struct {
	Audio       time.Duration // recordings
	Transcripts time.Duration // results
	Messages    time.Duration // event logs
	Records     time.Duration // the records, with all of these
}

// of returns how long parts are kept, whole records where there are none.
func (r Retention) of(parts store.Parts) time.Duration {
	switch parts {
	case store.PartAudio:
		return r.Audio
	case store.PartTranscripts:
		return r.Transcripts
	case store.PartMessages:
		return r.Messages
	}
	return r.Records
}

// Policy is the retention of all accounts.
type Policy struct {
	Default  Retention
	Accounts map[string]Retention // of accounts that have their own
}

// rule is that of one account, or of all that have no retention of their own, about parts or about
// whole records.
type rule struct {
	parts   store.Parts
	after   time.Duration
	account string   // empty: all
	except  []string // where account is empty
}

// name tells rules apart.
func (r *rule) name() string { return r.parts.String() + "/" + r.account }

// kind is what the rule removes, in logs and metrics.
func (r *rule) kind() string {
	if r.parts == 0 {
		return "records"
	}
	return r.parts.String()
}

// rules returns what is to be removed after a time; whole records come first.
func (p *Policy) rules() (list []rule) {
	own := slices.Sorted(maps.Keys(p.Accounts))
	for _, parts := range []store.Parts{0, store.PartAudio, store.PartTranscripts, store.PartMessages} {
		if after := p.Default.of(parts); after > 0 {
			list = append(list, rule{parts: parts, after: after, except: own})
		}
		for _, account := range own {
			if after := p.Accounts[account].of(parts); after > 0 {
				list = append(list, rule{parts: parts, after: after, account: account})
			}
		}
	}
	return list
}

// shortest returns the shortest time after which something is removed; 0: nothing is.
func (p *Policy) shortest() (shortest time.Duration) {
	for _, r := range p.rules() {
		if shortest == 0 || r.after < shortest {
			shortest = r.after
		}
	}
	return shortest
}
