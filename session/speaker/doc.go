// Package speaker attributes speech to speakers, from the audio alone and without a trained model
// of voices.
//
// [Diarize] processes a whole recording. The cepstra of its speech are divided into segments at
// pauses and where the voice is likely to change, and the segments are clustered by the Bayesian
// information criterion (Chen & Gopalakrishnan, "Speaker, environment and channel change detection
// and clustering via the Bayesian information criterion", 1998). Viterbi decoding with a mixture
// model for each speaker moves the borders. At last, speakers whose voices do not differ as a
// whole, by their cepstra and their pitch, are joined. Where speech runs on without pauses, so that
// segments hold several voices, all this is tried again from other segments and more clusters. At
// any time there is one speaker: of overlapping speech, the louder voice counts. Speech is detected
// by the detector of package vad, but over the whole recording: plausible speech counts if the
// detector is certain nearby, before or after.
//
// Measured with readers who take turns of 1 to 2.5 s for a minute, 10 talks of each kind, speech
// detected: without pauses between the turns the number of two speakers is right in 8 and that of
// three in 8, with 6 % and 4 % of the speech given to another (20 % and 23 % without trying again);
// with turns of 3 to 7 s or pauses of 0.3 s the number is right in nearly all, with about 1 %.
//
// [Channels] processes recordings of several channels, [Assign] assigns the turns to words, and a
// [Tracker] numbers the speakers of a live session utterance by utterance.
//
// Everything is a function of the samples: no clock, no randomness, no goroutine. Samples are of 16
// kHz, and positions are numbers of samples. Functions may be called from any goroutine.
package speaker
