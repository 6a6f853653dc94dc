package main

import "testing"

// A limit of 0 that the bounds of its key allow is no default: a gateway that is not to drain does
// not wait.
func TestNoDrainIsNotTheDefault(t *testing.T) {
	c, err := loadConfig("", []string{"STENO_LIMITS_DRAIN=0s"})
	if err == nil {
		err = c.check()
	}
	if err != nil {
		t.Fatal(err)
	}
	g, err := gatewayConfig(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if drain := g.Limits.WithDefaults().Drain; drain.Milliseconds() != 0 {
		t.Errorf("limits.drain 0s is %v", drain)
	}
}
