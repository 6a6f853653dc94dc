// Package fakemodels writes models for tests that sherpa-onnx really loads and runs, and
// synthesizes speech that they recognize.
//
// No trained weights come with the project. Loading, feature extraction, batching, state, search
// and timing are tested with small models made here: files of a few kilobytes, with the inputs,
// outputs and metadata of the published models of their kind, whose weights are computed, not
// trained. They recognize a fake language in which each piece of a word (see [Alphabet]) is a tone
// in a mel band of its own. Everything between samples and text is as with a trained model.
//
// A piece is recognized where the band of its tone stands out from both neighbouring bands, by the
// same measure at any loudness, and once: in the first frame of 40 ms that has it. The models keep
// what they recognized last in their state, so a stream that loses its state, or gets that of
// another, has pieces twice or not at all.
//
// The models are also unsure as trained ones are: of two simultaneous tones the louder one wins, by
// odds that a hotword can turn (see [Speech.Mumble]).
package fakemodels
