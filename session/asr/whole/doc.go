// Package whole makes streams of a model that decodes whole utterances. It collects an utterance's audio and decides when
// the model decodes it: the final at the end, or ahead in a pause; partials from the growing utterance meanwhile.
//
// # Finals
//
// A final is decoded from all of an utterance's audio and its context, and nothing else. Begun in a pause it is a guess:
// where speech continues it is dropped, and counted ([ShedGuess]); where the end follows it is the final.
//
// # Partials
//
// An utterance has one partial waiting or being decoded at most. It is decoded from the audio that is there when its turn
// comes, so a busy machine has fewer partials, not later ones. The next one is due after 0.3 s more audio, or more, so that
// the partials of all utterances take no more than half of the slots. A partial that is being decoded gives way to finals.
// Partials have no influence on finals.
//
// # Goroutines and locks
//
// Decoding runs on the slots of a schedule.Scheduler. Each stream has a lock, each model one for its list of streams. A
// model's may be taken while a stream's is held, the scheduler's while either is; none is held while a [Decoder] works.
package whole
