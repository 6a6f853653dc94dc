package main

import "time"

// Retention specifies how long finished jobs and sessions are kept.
type Retention struct {
	Finished time.Duration `yaml:"finished" bounds:"0 or 1m.."`
}
