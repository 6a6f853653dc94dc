// Package models fetches speech models and manages the folder they are installed in.
//
// [Catalogue] lists models that sherpa-onnx runs, with what their publishers state about them.
// [Install] fetches one into <dir>/<name>, whose [Manifest] names every file with its size and
// checksum; [Verify] compares them again later. A model's folder appears atomically and complete,
// or not at all: everything unfinished has a name that begins with a dot, and an interrupted
// download is resumed by the next Install.
package models
