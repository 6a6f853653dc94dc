// Package enginepb is generated from engine.proto: the figures of an engine process.
package enginepb

// See rivapb for what regenerating needs.
//
//go:generate protoc --go_out=. --go_opt=paths=source_relative --go-grpc_out=. --go-grpc_opt=paths=source_relative engine.proto
