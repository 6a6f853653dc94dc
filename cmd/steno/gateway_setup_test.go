package main

import (
	"testing"

	"steno/cmd/steno/config"
	"steno/gateway/admission"
	"steno/gateway/limits"
)

// A limit of 0 that the bounds of its key allow is no default: a gateway that is not to drain does
// not wait.
func TestNoDrainIsNotTheDefault(t *testing.T) {
	c, err := config.Load("", []string{"STENO_LIMITS_DRAIN=0s"})
	if err == nil {
		err = c.Check()
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

// The defaults of the file are those of the gateway, but for the limits that follow from the
// descriptors or from other limits.
func TestDefaultsAreTheGateways(t *testing.T) {
	c, err := config.Load("", nil)
	if err != nil {
		t.Fatal(err)
	}
	g, err := gatewayConfig(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := g.Limits.WithDefaults(), (limits.Limits{}).WithDefaults(); got != want {
		t.Errorf("steno.yml has\n%+v, the gateway\n%+v", got, want)
	}
	if got, want := g.Admission, (admission.Config{}).WithDefaults(); got != want {
		t.Errorf("steno.yml has %+v, the gateway %+v", got, want)
	}
}
