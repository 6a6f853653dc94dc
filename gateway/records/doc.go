// Package records answers requests for the records of jobs of both kinds, live and pre-recorded: one, pages of them, their
// audio, and their deletion. Records are written as they are read from the store, not held in memory as a whole: results and
// messages may be large.
package records
