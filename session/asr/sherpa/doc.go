// Package sherpa recognizes speech with sherpa-onnx and the models that lie in a folder, one model
// in each subfolder. Streaming models decode speech while it is spoken; the others decode whole
// utterances and are more accurate. If a language has both, the first decode the partials and the
// second the finals (package twopass). Those for whole utterances are decoded by package whole.
//
// New models are loaded, and removed ones freed, while it runs. The library ends the process over a
// model that it cannot use, so a new model is tried in another process first ([Config.Probe]).
//
// DESIGN.md describes how utterances are decoded, and what makes a final the same every time.
//
// # Goroutines and locks
//
// Decoding runs on the slots of a schedule.Scheduler. One goroutine more watches the folder: it
// alone loads and frees models. Each utterance has a lock, each model has one for its list of
// utterances, the recognizer has one for its list of models. A model's may be taken while one of
// the others is held, the scheduler's while any of them is; none is held while the library decodes.
package sherpa
