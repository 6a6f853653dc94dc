//go:build race

package session

// raceDetected says that the race detector watches the tests.
const raceDetected = true
