package gateway

import (
	"net/http"
	"reflect"

	"steno/gateway/accounts"
	"steno/gateway/billing"
	"steno/gateway/openapi"
	"steno/session/store"
)

// accountTable returns the operations for those who run the service: they concern all accounts.
func accountTable(s *Server) []route {
	admin := access{scopes: store.ScopeAdmin, everyone: true}
	of := &accounts.Service{Accounts: s.accounts, Names: s.keys.accounts(), MaxBody: s.cfg.Limits.Body}
	const path = "/v2/admin/accounts"
	return []route{
		{"GET", path, "account.list", of.ListAccounts, admin, "List accounts and their quotas", docListAccounts()},
		{"GET", path + "/{account}", "account.read", of.GetAccount, admin, "Get what an account may have and has",
			docAccount()},
		{"PUT", path + "/{account}", "account.change", of.SetAccount, admin, "Set the quota of an account",
			docSetAccount()},
		{"DELETE", path + "/{account}", "account.change", of.RemoveAccount, admin, "Remove the quota of an account",
			docRemoveAccount()},
		{"GET", "/v2/usage", "usage.read", billingOf(s).Get, access{scopes: store.ScopeRead},
			"Get what was used, for bills", docUsage()},
	}
}

// billingOf returns what serves what accounts have used.
func billingOf(s *Server) *billing.Service {
	return &billing.Service{Store: s.deps.Store, SeesAll: s.auth.seesAll}
}

func docUsage() openapi.Details {
	example := billing.Report{From: "2026-03-01", To: "2026-03-31", Items: []billing.UsageRow{{
		Day: "2026-03-14", LiveSessions: 12, LiveAudio: 31415.926, Jobs: 3, Recorded: 2718.281, AddonAudio: 1618.033,
		Characters: 14142,
	}}}
	return openapi.Details{
		Notes: "Of the key's account; a key or token of an operator with the scope admin sees all accounts. Each " +
			"session and job is counted once, with its end, whatever happened on the way, and stays counted when its " +
			"record is deleted; one that is cancelled, or was never connected, is not. Kept for 800 days.",
		Query: reflect.TypeFor[billing.Query](),
		Gives: openapi.Answers(http.StatusOK, openapi.JSON[billing.Report]().Like(example),
			openapi.Bytes("text/csv", "The same as a table").Like(exampleTable)),
		Refuses: []int{http.StatusBadRequest, http.StatusForbidden, http.StatusServiceUnavailable},
	}
}

const exampleTable = "day,live_sessions,live_audio_seconds,recorded_jobs,failed_jobs,recorded_audio_seconds," +
	"addon_audio_seconds,characters\n" +
	"2026-03-14,12,31415.926,3,0,2718.281,1618.033,14142\n"

// forOperators ends the notes of operations that concern all accounts.
const forOperators = " For keys and tokens of an account that the configuration lists under operators; others are " +
	"refused with 403."

func docListAccounts() openapi.Details {
	return openapi.Details{
		Notes: "Those that have API keys or quotas." + forOperators,
		Gives: openapi.Answers(http.StatusOK, openapi.JSON[accounts.AccountList]().Like(accounts.AccountList{
			Items: []accounts.ListedAccount{exampleAccount().ListedAccount}})),
		Refuses: []int{http.StatusForbidden, http.StatusServiceUnavailable},
	}
}

func docAccount() openapi.Details {
	return openapi.Details{
		Notes:   "An account that is not known has nothing." + forOperators,
		Gives:   openapi.Answers(http.StatusOK, openapi.JSON[accounts.Account]().Like(exampleAccount())),
		Refuses: []int{http.StatusBadRequest, http.StatusForbidden, http.StatusServiceUnavailable},
	}
}

func docSetAccount() openapi.Details {
	return openapi.Details{
		Notes: "It is in force in place of that of the configuration, on all nodes within seconds. What is left out " +
			"of it has no bound. Sessions that are open continue; one more is made when fewer are unfinished than " +
			"the quota allows." + forOperators,
		Takes:   openapi.Body(openapi.JSON[accounts.Quota]().Like(exampleAccount().Quota)),
		Gives:   openapi.Answers(http.StatusOK, openapi.JSON[accounts.Account]().Like(exampleAccount())),
		Refuses: []int{http.StatusBadRequest, http.StatusForbidden, http.StatusServiceUnavailable},
	}
}

func docRemoveAccount() openapi.Details {
	return openapi.Details{
		Notes: "That of the configuration is in force again." + forOperators,
		Gives: openapi.Answers(http.StatusNoContent),
		Refuses: []int{http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound,
			http.StatusServiceUnavailable},
	}
}

func exampleAccount() accounts.Account {
	return accounts.Account{
		ListedAccount: accounts.ListedAccount{
			Account: "acme", From: "api",
			Quota: accounts.Quota{Sessions: 100, Opens: 300, AudioHours: 250, Storage: 1 << 40, Callbacks: 50},
		},
		Sessions: 12, AudioSeconds: 31415.9, Storage: 271828182,
	}
}
