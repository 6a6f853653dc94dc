// Package transcripts answers requests for reading what was said in a job, in parts that a page can
// show: an outline with the times of all utterances, pages of utterances with everything that was
// found in them, the places that contain a text, and the whole as a file of text or subtitles. It
// also searches the records of an account by what was said.
//
// Results are read from their records and kept in memory while they are asked for, see [lru.Cache]:
// a record that has its outcome does not change. How many are read at a time is limited, in all and
// for each account.
package transcripts
