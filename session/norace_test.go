//go:build !race

package session

// raceDetected reports whether the tests run under the race detector.
const raceDetected = false
