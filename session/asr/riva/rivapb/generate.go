// Package rivapb is generated from riva.proto: the messages and the service of the NVIDIA Riva ASR
// interface.
package rivapb

// Regenerating needs Debian's protobuf-compiler, and the two plug-ins at the versions named at the
// top of the generated files: go install google.golang.org/protobuf/cmd/protoc-gen-go and
// google.golang.org/grpc/cmd/protoc-gen-go-grpc.
//
//go:generate protoc --go_out=. --go_opt=paths=source_relative --go-grpc_out=. --go-grpc_opt=paths=source_relative riva.proto
