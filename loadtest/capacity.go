package loadtest

// Capacity is what a search has found.
type Capacity struct{}
