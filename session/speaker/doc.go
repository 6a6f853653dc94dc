// Package speaker tells apart who speaks, from the audio alone and without any trained model of voices.
//
// [Diarize] does it for a whole recording: cepstra of the speech, cut at pauses and where a change of voice is likely,
// clustered by the Bayesian information criterion (Chen & Gopalakrishnan, "Speaker, environment and channel change
// detection and clustering via the Bayesian information criterion", 1998), and the borders drawn anew by Viterbi decoding
// with a mixture model for each speaker. In the end those are made one whose voices do not differ as a whole: by their
// cepstra and their pitch. One speaker is told at a time: of speech that overlaps, the louder voice is heard. Speech is
// found by the detector of package vad, but not as in a session: what is plausible counts where the detector is certain
// nearby, before or after.
//
// [Channels] does it for recordings of several channels, [Assign] gives the turns to words, and [Tracker] numbers the
// speakers of a live session utterance by utterance.
//
// Everything is a function of the samples: no clock, no randomness, no goroutine. Samples are 16 kHz, positions are
// counts of samples. Functions may be called from any goroutine; a Tracker belongs to one.
package speaker
