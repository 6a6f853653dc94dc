package main

import (
	"time"

	"steno/session/store/valkey"
)

// Valkey says where gateways keep what they share.
type Valkey struct {
	Address    string            `yaml:"address"`
	Durability valkey.Durability `yaml:"durability"`
	Lease      time.Duration     `yaml:"lease"`
}

// checkStore refuses values that cannot work.
func (c Config) checkStore(fault faults) {
	switch c.Valkey.Durability {
	case valkey.DurableProcess, valkey.DurableDisk, valkey.DurableReplica:
	default:
		fault("valkey.durability must be process, disk or replica, not %q", c.Valkey.Durability)
	}
	if c.Valkey.Lease < time.Second || c.Valkey.Lease > 10*time.Minute {
		fault("valkey.lease must be 1s to 10m")
	}
	if (c.Valkey.Address == "") != (c.Blob == "") {
		fault("valkey.address and blob are set together, or neither")
	}
}
