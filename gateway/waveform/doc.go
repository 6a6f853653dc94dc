// Package waveform answers requests for the peaks of recordings, from which players draw them: the
// lowest and the highest sample of each stretch, at the zoom that is asked for. The form is the
// JSON of the program audiowaveform, which players for the web read.
//
// A recording is read once, from its beginning, and its peaks at the finest zoom, 100 bytes for
// each second of a channel, are kept in memory while they are asked for, see [lru.Cache]. Of a
// session that runs, only what is new is read. A short stretch that is not kept is read for itself.
// How many recordings are read at a time is limited, in all and for each account.
package waveform
