package main

import "time"

// Retention says how long what is finished is kept.
type Retention struct {
	Finished time.Duration `yaml:"finished"`
}

// check refuses values that cannot work.
func (r Retention) check(fault faults) {
	if r.Finished != 0 && r.Finished < time.Minute {
		fault("retention.finished must be 0, for ever, or at least 1m")
	}
}
