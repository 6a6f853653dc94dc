// Package whole makes streams of a model that decodes whole utterances. It collects an utterance's
// audio and decides when the model decodes it: the final at the end, or ahead in a pause; partials
// from the growing utterance meanwhile.
//
// # Finals
//
// A final is decoded from an utterance's audio and its context, and nothing else. An utterance that
// is longer than the model likes is decoded in pieces, cut at quiet places. Where a piece ends
// depends on nothing but the audio up to the longest piece, so it is decoded as soon as that much
// is there, and the final waits for the last piece alone.
//
// The last piece is decoded when a pause begins. This is a guess: where speech continues it is
// dropped, and counted ([ShedGuess]); where the end follows it belongs to the final. A guess that
// failed is decoded again at the end.
//
// # Partials
//
// A partial has the pieces that are decoded and the text of the last one so far. An utterance has
// one partial waiting or being decoded at most. It is decoded from the audio that is there when its
// turn comes, so a busy machine has fewer partials, not later ones. The next one is due after 0.3 s
// more audio, or more, so that finals and partials together take no more than three quarters of the
// slots. A partial that is being decoded is abandoned for finals. Partials have no influence on
// finals.
//
// # Goroutines and locks
//
// Decoding runs on the slots of a schedule.Scheduler. Each stream has a lock, each model one for
// its list of streams. A model's may be taken while a stream's is held, the scheduler's while
// either is; none is held while a [Decoder] decodes.
package whole
