package main

import "time"

// Retention says how long what is finished is kept.
type Retention struct {
	Finished time.Duration `yaml:"finished" bounds:"0 or 1m.."`
}
