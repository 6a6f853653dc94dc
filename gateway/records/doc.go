// Package records answers requests for the records of jobs of both kinds, live and pre-recorded:
// one, pages of them, their audio, and their deletion. Records are written while they are read from
// the store: results and messages may be too large to be held in memory.
package records
