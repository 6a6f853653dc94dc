// Package fakemodels makes models for tests that the neural runtime really loads and runs,
// and the speech they understand.
//
// No trained weights come with the project. What the adapters of a neural runtime do
// with loading, feature extraction, batching, state, searching and timing is tested
// with small models made here: files of a few kilobytes, with the inputs, outputs and
// metadata of the published models of their kind, whose weights are not trained but
// computed. They understand a language of tones: each piece of a word (see [Alphabet])
// is a tone in a mel band of its own. Everything between samples and text is what it
// is with a trained model.
//
// A piece is told where the band of its tone stands out from both bands beside it, by
// the same measure at any loudness, and it is told once, in the first frame of 40 ms
// that has it: the models remember what they heard last, so a stream that loses its
// state, or gets that of another, says pieces twice or not at all.
//
// The models also have the doubts of trained ones: of two tones at once the louder one
// wins, by odds that a hotword can turn (see [Speech.Mumble]).
package fakemodels
