package riva

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"steno/session/asr"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/riva/wire"
)

const (
	// maxModels bounds the models of a server's list, maxModelName the length of their names, in
	// bytes.
	maxModels    = 1024
	maxModelName = 256
)

// Models implements [asr.Lister]: the server's models that accept utterances while they are spoken,
// in the server's order, each with its languages. If Config.Model names one, it is the only one. Of
// a server that has no list the error is errors.ErrUnsupported.
func (r *Recognizer) Models(ctx context.Context) ([]asr.Model, error) {
	callCtx, cancel := context.WithTimeoutCause(ctx, r.config.CallTimeout, errNoAnswer)
	defer cancel()
	var header metadata.MD
	answer, err := r.client.GetRivaSpeechRecognitionConfig(r.outgoing(callCtx),
		&rivapb.RivaSpeechRecognitionConfigRequest{ModelName: r.config.Model}, grpc.Header(&header))
	switch {
	case status.Code(err) == codes.Unimplemented:
		return nil, fmt.Errorf("models of recognizer: %w", errors.ErrUnsupported)
	case err != nil:
		return nil, fmt.Errorf("models of recognizer: %w", capabilityFailure(ctx, callCtx, err))
	}
	kind := r.learn(header)
	list := modelList{config: r.config, stock: kind == stockServer, at: map[string]int{}}
	for _, entry := range answer.GetModelConfig() {
		list.add(entry.GetModelName(), entry.GetParameters())
	}
	return slices.DeleteFunc(list.models, func(m asr.Model) bool { return len(m.Languages) == 0 && !m.Detects }), nil
}

// modelList collects the entries of a server's answer, which has one for each language of a model.
type modelList struct {
	config Config
	stock  bool
	models []asr.Model
	at     map[string]int // by name
}

func (l *modelList) add(name string, parameters map[string]string) {
	online := parameters["type"] != "offline"
	name = cmp.Or(name, l.config.Engine)
	if l.stock && !online || len(name) > maxModelName || l.config.Model != "" && name != l.config.Model {
		return // a stock server's offline models accept whole recordings only
	}
	i, known := l.at[name]
	if !known {
		if len(l.models) == maxModels {
			return
		}
		i = len(l.models)
		l.at[name] = i
		l.models = append(l.models, asr.Model{Name: name})
	}
	m := &l.models[i]
	tags := strings.SplitN(parameters["language_code"], ",", wire.MaxLanguages)
	for _, code := range codesOf(parameters["steno_code"], tags) {
		if !slices.Contains(m.Languages, code) {
			m.Languages = append(m.Languages, code)
		}
	}
	m.Partials = m.Partials || online
	m.Detects = m.Detects || l.detects(parameters["steno_detects"], tags)
	m.Context = m.Context || !l.stock && parameters["steno_context"] == "true"
}

// codesOf returns the API's codes of an entry: those of an engine program, or by the tags.
func codesOf(own string, tags []string) (codes []string) {
	if wire.Tag(own) != "" {
		return []string{own}
	}
	for _, tag := range tags {
		if code := wire.Code(strings.TrimSpace(tag)); code != "" {
			codes = append(codes, code)
		}
	}
	return codes
}

// detects reports whether a model detects the language when it is asked as this client asks.
func (l *modelList) detects(own string, tags []string) bool {
	if !l.stock {
		return own == "true"
	}
	return l.config.Auto != "" && (len(tags) > 1 || strings.TrimSpace(tags[0]) == l.config.Auto)
}
