package gateway

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"steno/gateway/billing"
	"steno/messages"
	"steno/session/store"
)

// What sessions and jobs have used is counted once, however often they were taken up, and stays
// when their records are deleted. Accounts see their own, operators all.
func TestUsage(t *testing.T) {
	inTenantBubble(t, nil, func(t *testing.T, w *bubble) {
		key := w.addKey("tenant", "key-of-the-tenant-here")
		session := func(key string, seconds float64, restart bool) string {
			t.Helper()
			var made struct{ ID, URL string }
			if status := w.doWith(key, "POST", "/v2/live", `{"channels":2}`, &made); status != 201 {
				t.Fatal(status)
			}
			c, sound := w.call(made.URL), speech(seconds, 2)
			if err := c.send(sound); err != nil {
				t.Fatal(err)
			}
			c.ackedTo(int64(len(sound)))
			if restart {
				w.stop()
				w.start()
				c.end()
				c.dial = w.net.Dial
				c.mustConnect()
			}
			if err := c.stop(); err != nil || c.end() != 1000 {
				t.Fatalf("%v, closed with %d", err, c.code)
			}
			time.Sleep(time.Second)
			return made.ID
		}
		first := session(key, 3, true)
		session(testKey, 2, false)
		w.create() // is never connected
		time.Sleep(2 * time.Minute)
		if status := w.doWith(key, "DELETE", "/v2/live/"+first, "", nil); status != 202 {
			t.Errorf("deletion: %d", status)
		}
		synctest.Wait()
		want := func(key, query string, rows ...billing.UsageRow) {
			t.Helper()
			var got billing.Report
			if status := w.doWith(key, "GET", "/v2/usage?"+query, "", &got); status != 200 {
				t.Fatalf("%s: %d", query, status)
			}
			if len(got.Items) != len(rows) {
				t.Fatalf("%s: %+v, want %+v", query, got.Items, rows)
			}
			for i := range rows {
				if got.Items[i] != rows[i] {
					t.Errorf("%s: %+v, want %+v", query, got.Items[i], rows[i])
				}
			}
		}
		today := time.Now().UTC().Format(time.DateOnly)
		want(key, "", billing.UsageRow{Day: today, LiveSessions: 1, LiveAudio: 3})
		want(testKey, "group_by=account,model",
			billing.UsageRow{Account: DefaultAccount, Model: "stt-1", LiveSessions: 1, LiveAudio: 2},
			billing.UsageRow{Account: "tenant", Model: "stt-1", LiveSessions: 1, LiveAudio: 3})
		want(testKey, "group_by=day&account=tenant", billing.UsageRow{Day: today, LiveSessions: 1, LiveAudio: 3})
		want(testKey, "from=1999-01-01&to=1999-12-31")
		for query, status := range map[string]int{
			"account=default": 403, "from=x": 400, "to=1990-01-01": 400, "group_by=key": 400, "format=xml": 400,
		} {
			if got := w.doWith(key, "GET", "/v2/usage?"+query, "", nil); got != status {
				t.Errorf("%s: %d, want %d", query, got, status)
			}
		}
	})
}

// Add-ons and recorded files are counted, and a table has what the JSON has.
func TestUsageOfJobs(t *testing.T) {
	r := recordedServer(t, nil)
	var up messages.Upload
	a := r.send("/v2/upload", filled{filename: "a.wav", content: wavOf(speech(2, 1), 16000, 1)})
	if err := json.Unmarshal(a.body, &up); err != nil {
		t.Fatal(err)
	}
	id := r.createJob(`{"audio_url":"` + up.AudioURL + `"}`)
	waitUntil(t, "the job is done", func() bool { return r.recordedJob(id).Status == messages.StatusDone })
	if err := r.store.Delete(t.Context(), DefaultAccount, id); err != nil {
		t.Fatal(err)
	}
	table := r.do("GET", "/v2/usage?group_by=model,addon", "", "Accept", "text/csv")
	lines := strings.Split(strings.TrimSpace(string(table.body)), "\n")
	if table.status != http.StatusOK || len(lines) != 2 || lines[1] != "stt-1,,0,0.000,1,0,2.000,0.000,0" {
		t.Errorf("%d %v", table.status, lines)
	}
	used, err := r.store.Usage(t.Context(), store.UsageQuery{From: time.Now(), To: time.Now()})
	if err != nil || len(used) != 2 {
		t.Errorf("used %v, %v", used, err)
	}
}
