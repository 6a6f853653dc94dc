package models

import (
	"context"
	"fmt"
	"net/http"
)

// Probe asks for a model's download without fetching it. It makes one attempt; the error states why
// the download is not available.
func Probe(ctx context.Context, e Entry, o Options) error {
	i, err := newInstallation(e, "", o)
	if err != nil {
		return fmt.Errorf("model %s: %w", e.Name, err)
	}
	defer i.client.CloseIdleConnections()
	a, err := get(ctx, i.client, i.address, http.Header{}, i.options.idle)
	if err != nil {
		return fmt.Errorf("model %s: %w", e.Name, err)
	}
	defer a.close()
	if a.StatusCode != http.StatusOK {
		return fmt.Errorf("model %s: %w", e.Name, statusError(i.address, a.StatusCode))
	}
	return nil
}
