package main

import (
	"fmt"
	"strconv"
	"time"
)

// positive is a time above zero. Zero stands for a default where a flag is not given.
type positive time.Duration

// UnmarshalText reads the value of a flag.
func (p *positive) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("must be a time such as 20s, not %q", text)
	}
	if d <= 0 {
		return fmt.Errorf("must be above 0, not %v", d)
	}
	*p = positive(d)
	return nil
}

// String returns the time as it is given on the command line.
func (p positive) String() string { return time.Duration(p).String() }

// count is a number of things of which there is at least one.
type count int

// UnmarshalText reads the value of a flag.
func (c *count) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 {
		return fmt.Errorf("must be a whole number from 1 on, not %q", text)
	}
	*c = count(n)
	return nil
}
