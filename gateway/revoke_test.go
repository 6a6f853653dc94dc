package gateway

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"steno/messages"
	"steno/session/store/embedded"
)

// revokeKey removes a key from another process, like steno keys remove while the gateway runs.
func (w *bubble) revokeKey(text string) {
	w.t.Helper()
	beside, err := embedded.OpenKeys(w.t.Context(), w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	hash := sha256.Sum256([]byte(text))
	if err := errors.Join(beside.RemoveKey(w.t.Context(), hash[:]), beside.Close()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *bubble) createWith(key string) (id, url string) {
	w.t.Helper()
	var got struct{ ID, URL string }
	if status := w.doWith(key, "POST", "/v2/live", `{}`, &got); status != 201 {
		w.t.Fatalf("create: %d", status)
	}
	return got.ID, got.URL
}

// A removed key ends its sockets and tokens, and nothing else: recordings are finished, and
// sessions of the account's other keys continue.
func TestRevokedKeyEndsItsSessions(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		bad := w.addKey(DefaultAccount, "the-key-that-is-revoked")
		other := w.addKey(DefaultAccount, "another-key-of-the-account")
		speaking, speakingURL := w.createWith(bad)
		away, awayURL := w.createWith(bad)
		waiting, waitingURL := w.createWith(bad)
		done, doneURL := w.createWith(bad)
		fine, fineURL := w.createWith(other)

		lost := w.call(awayURL)
		if err := lost.send(speech(3, 2)); err != nil {
			t.Fatal(err)
		}
		lost.ackedTo(96000)
		lost.hangUp()
		ended := w.call(doneURL)
		if err := ended.stop(); err != nil {
			t.Fatal(err)
		}
		ended.end()
		cut, stays := w.call(speakingURL), w.call(fineURL)
		for _, c := range []*caller{cut, stays} {
			if err := c.send(speech(3, 1)); err != nil {
				t.Fatal(err)
			}
			c.ackedTo(96000)
		}

		w.revokeKey(bad)
		began := time.Now()
		if code := cut.end(); code != 4401 || cut.reason != "API key revoked" || time.Since(began) > 3*time.Second {
			t.Errorf("closed with %d %q after %v", code, cut.reason, time.Since(began))
		}
		for _, url := range []string{speakingURL, awayURL, waitingURL, doneURL} {
			if code := w.call(url).end(); code != 4401 {
				t.Errorf("a token of the key: close code %d, want 4401", code)
			}
		}
		time.Sleep(5 * time.Second)
		synctest.Wait()
		for id, want := range map[string]messages.Status{
			speaking: messages.StatusDone, away: messages.StatusDone, done: messages.StatusDone,
			waiting: messages.StatusError, fine: messages.StatusProcessing,
		} {
			if got := w.job(id); got.Status != want || id == waiting && *got.ErrorCode != 401 {
				t.Errorf("session is %s (%v), want %s", got.Status, got.ErrorCode, want)
			}
		}
		if err := stays.send(speech(1, 4)); err != nil {
			t.Fatal(err)
		}
		stays.ackedTo(96000 + 32000)
		if err := stays.stop(); err != nil {
			t.Fatal(err)
		}
		if code := stays.end(); code != 1000 {
			t.Errorf("another key's session: close code %d", code)
		}
		if status := w.doWith(bad, "GET", "/v2/live", "", nil); status != 401 {
			t.Errorf("the key itself: status %d", status)
		}
	})
}

// A key that is removed while the gateway is down ends its sessions at the next start; sessions of
// a configured key continue.
func TestKeysRevokedWhileTheGatewayWasDown(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		bad := w.addKey(DefaultAccount, "the-key-that-is-revoked")
		_, url := w.createWith(bad)
		_, kept := w.create()
		w.stop()
		w.revokeKey(bad)
		w.start()
		if code := w.call(url).end(); code != 4401 {
			t.Errorf("close code %d, want 4401", code)
		}
		c := w.call(kept)
		if err := c.send(speech(1, 1)); err != nil {
			t.Fatal(err)
		}
		c.ackedTo(32000)
	})
}

// A client without a valid token is refused immediately, whatever it does instead of answering the
// close.
func TestBadTokenIsTurnedAwayAtOnce(t *testing.T) {
	for name, behave := range map[string]func(net.Conn){
		"says nothing": func(net.Conn) {},
		"goes on with a message": func(c net.Conn) {
			// The head of a frame of 2^40 bytes, then a byte now and then.
			_, err := c.Write([]byte{0x82, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4})
			for err == nil {
				time.Sleep(50 * time.Millisecond)
				_, err = c.Write([]byte{0})
			}
		},
		"pings": func(c net.Conn) {
			var err error
			for err == nil {
				time.Sleep(50 * time.Millisecond)
				_, err = c.Write([]byte{0x89, 0x80, 1, 2, 3, 4})
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, w *bubble) {
				conn, err := w.net.Dial(t.Context(), "", "")
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				if _, err := io.WriteString(conn, strings.Join([]string{
					"GET /v2/live?token=none HTTP/1.1", "Host: steno", "Upgrade: websocket", "Connection: Upgrade",
					"Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", "",
				}, "\r\n")); err != nil {
					t.Fatal(err)
				}
				r := bufio.NewReader(conn)
				resp, err := http.ReadResponse(r, nil)
				if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
					t.Fatalf("%v, %v", resp, err)
				}
				began := time.Now()
				behaved := make(chan struct{})
				go func() { defer close(behaved); behave(conn) }()
				rest, _ := io.ReadAll(r)
				if took := time.Since(began); took > 2*time.Second {
					t.Errorf("the connection was held for %v", took)
				}
				if len(rest) < 4 || rest[0] != 0x88 || int(rest[2])<<8|int(rest[3]) != 4401 {
					t.Errorf("the server said %x", rest)
				}
				_ = conn.Close()
				<-behaved
			})
		})
	}
}
