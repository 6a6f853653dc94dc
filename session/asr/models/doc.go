// Package models fetches speech models and keeps the folder they are installed in.
//
// [Catalogue] lists models that sherpa-onnx runs, with what their publishers say of them. [Install] fetches one into
// <dir>/<name>, whose [Manifest] names every file with its size and checksum; [Verify] compares them again later.
// A model's folder appears at once and complete, or not at all: everything unfinished has a name that begins with a
// dot, and what a broken download left is gone on with by the next.
package models
