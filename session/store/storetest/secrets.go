package storetest

import (
	"slices"
	"testing"
	"time"

	"steno/session/store"
)

func secrets(t *testing.T, s store.Store) {
	ctx := t.Context()
	add := func(account, text string, at time.Time) {
		t.Helper()
		must(t, s.AddSecret(ctx, store.Secret{Account: account, Text: text, CreatedAt: at}))
	}
	of := func(account string) (texts []string) {
		t.Helper()
		list, err := s.Secrets(ctx, account)
		must(t, err)
		for _, secret := range list {
			texts = append(texts, secret.Account+" "+secret.Text)
		}
		return texts
	}
	for _, bad := range []store.Secret{{Text: "whsec_1"}, {Account: "acme"}, {Account: "times:acme", Text: "whsec_1"}} {
		wants(t, s.AddSecret(ctx, bad), store.ErrInvalid)
	}
	add("zeta", "whsec_1", epoch)
	add("acme", "whsec_1", epoch)
	wants(t, s.AddSecret(ctx, store.Secret{Account: "acme", Text: "whsec_1"}), store.ErrExists)
	add("acme", "whsec_2", epoch) // the order is that of adding, not of the clock
	add("acme", "whsec_3", epoch.Add(-time.Hour))
	if got := of("acme"); !slices.Equal(got, []string{"acme whsec_3", "acme whsec_2"}) {
		t.Errorf("acme has %v", got)
	}
	if got := of(""); !slices.Equal(got, []string{"acme whsec_3", "acme whsec_2", "zeta whsec_1"}) {
		t.Errorf("there are %v", got)
	}
	if list, err := s.Secrets(ctx, "zeta"); err != nil || len(list) != 1 || !list[0].CreatedAt.Equal(epoch) {
		t.Errorf("zeta has %v, %v", list, err)
	}
	must(t, s.RemoveSecret(ctx, "acme", "whsec_3"))
	wants(t, s.RemoveSecret(ctx, "acme", "whsec_3"), store.ErrNotFound)
	wants(t, s.RemoveSecret(ctx, "acme", "whsec_1"), store.ErrNotFound)
	if got := of("acme"); !slices.Equal(got, []string{"acme whsec_2"}) {
		t.Errorf("acme has %v", got)
	}
	if got := of("none"); len(got) != 0 {
		t.Errorf("an account without secrets has %v", got)
	}
}
