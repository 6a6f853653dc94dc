package main

import "time"

// Admission says how much live speech is admitted.
type Admission struct {
	Headroom    bool          `yaml:"headroom"`
	Speakers    int           `yaml:"speakers" bounds:"0.."`
	KeySpeakers int           `yaml:"speakers_per_key" bounds:"0.."`
	FinalWait   time.Duration `yaml:"final_wait" bounds:"10ms.."`
	Lag         time.Duration `yaml:"lag" bounds:"10ms.."`
}
