// Package sherpa recognizes speech with sherpa-onnx and whatever of its models lie in a folder, one model in each
// subfolder. Models that stream follow speech while it is spoken; models that do not take whole utterances and are more
// accurate. Where a language has both, the first give the partials and the second the finals (package twopass).
//
// New models are taken in, and removed ones let go of, while it runs. The library ends the process over a model that it
// cannot use, so a model that is new is tried in another process first ([Config.Probe]).
//
// DESIGN.md tells how utterances are decoded, and what makes a final the same every time.
//
// # Goroutines and locks
//
// Decoding is done on the slots of a schedule.Scheduler. One goroutine more looks after the folder: it alone loads and
// frees models. Each utterance has a lock, each model has one for its list of utterances, the recognizer has one for its
// list of models. A model's may be taken while one of the others is held, the scheduler's while any of them is; none is
// held while the library decodes.
package sherpa
