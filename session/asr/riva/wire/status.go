package wire

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"steno/session/asr"
)

// The reasons by which errors of the contract are recognized. Codes alone do not suffice:
// RESOURCE_EXHAUSTED is both an utterance too long and a server too busy.
const (
	domain         = "steno"
	reasonTooLong  = "UTTERANCE_TOO_LONG"
	reasonLanguage = "LANGUAGE_NOT_SUPPORTED"
)

// maxMessage bounds the text of an error, in bytes.
const maxMessage = 1024

// Status returns the gRPC status with which a server ends a call for err. Status errors pass
// unchanged.
func Status(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := status.FromError(err); ok {
		return err
	}
	switch {
	case errors.Is(err, asr.ErrTooLong):
		return reasoned(codes.ResourceExhausted, err, reasonTooLong)
	case errors.Is(err, asr.ErrLanguage):
		return reasoned(codes.InvalidArgument, err, reasonLanguage)
	case errors.Is(err, asr.ErrBusy):
		return status.Error(codes.ResourceExhausted, text(err))
	case errors.Is(err, asr.ErrUnavailable):
		return status.Error(codes.Unavailable, text(err))
	case errors.Is(err, context.Canceled):
		return status.Error(codes.Canceled, text(err))
	case errors.Is(err, context.DeadlineExceeded):
		return status.Error(codes.DeadlineExceeded, text(err))
	}
	return status.Error(codes.Internal, text(err))
}

func reasoned(code codes.Code, err error, reason string) error {
	s := status.New(code, text(err))
	if with, err := s.WithDetails(&errdetails.ErrorInfo{Domain: domain, Reason: reason}); err == nil {
		s = with
	}
	return s.Err()
}

func text(err error) string {
	s := err.Error()
	if len(s) > maxMessage {
		s = s[:maxMessage]
	}
	return strings.ToValidUTF8(s, "")
}

// Cause converts the error of a call: to ErrTooLong, ErrLanguage, or ErrUnavailable for all that
// may succeed with another call or another server. Other errors are permanent: the request, the
// permission, the address. The message keeps the server's text.
func Cause(err error) error {
	s := status.Convert(err)
	switch {
	case reason(s) == reasonTooLong:
		return wrap(asr.ErrTooLong, s)
	case reason(s) == reasonLanguage, noModel(s):
		return wrap(asr.ErrLanguage, s)
	}
	switch s.Code() {
	case codes.InvalidArgument, codes.NotFound, codes.PermissionDenied, codes.Unauthenticated, codes.Unimplemented,
		codes.FailedPrecondition, codes.OutOfRange:
		return fmt.Errorf("recognizer refused: %s: %s", s.Code(), s.Message())
	}
	if s.Code() == codes.ResourceExhausted {
		return wrap(asr.ErrBusy, s)
	}
	return wrap(asr.ErrUnavailable, s)
}

func wrap(sentinel error, s *status.Status) error {
	return fmt.Errorf("%w: %s: %s", sentinel, s.Code(), s.Message())
}

func reason(s *status.Status) string {
	for _, detail := range s.Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok && info.GetDomain() == domain {
			return info.GetReason()
		}
	}
	return ""
}

// noModel recognizes the answer of a Riva server without a model for the language, which has no
// details.
func noModel(s *status.Status) bool {
	return s.Code() == codes.InvalidArgument && strings.Contains(s.Message(), "Unavailable model requested")
}
