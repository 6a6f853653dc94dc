// Package moonshine recognizes speech with Moonshine models on ONNX Runtime.
//
// An utterance is decoded as a whole; package whole makes streams of that. A final is the most
// probable text of several variants of the utterance, decoded from its audio and its context alone.
// Partials are decoded from the growing utterance: the last one's text is a draft that one pass
// verifies, and of a long utterance only the last seconds are decoded again.
//
// Words have the probabilities of their tokens as confidences, and times from package align.
package moonshine
