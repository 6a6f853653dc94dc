package main

import "time"

// Admission says how much live speech is admitted.
type Admission struct {
	Headroom    bool          `yaml:"headroom"`
	Speakers    int           `yaml:"speakers"`
	KeySpeakers int           `yaml:"speakers_per_key"`
	FinalWait   time.Duration `yaml:"final_wait"`
	Lag         time.Duration `yaml:"lag"`
}

// check refuses values that cannot work.
func (a Admission) check(fault faults) {
	if a.Speakers < 0 || a.KeySpeakers < 0 {
		fault("admission.speakers and admission.speakers_per_key must not be negative")
	}
	if a.FinalWait < 10*time.Millisecond || a.Lag < 10*time.Millisecond {
		fault("admission.final_wait and admission.lag must be at least 10ms")
	}
}
