package overview

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"steno/messages"
	"steno/session/store/embedded"
	"steno/session/store/embedded/embeddedtest"
)

// What is being said elsewhere is known while somebody looks, and is not asked for any longer.
func TestPartials(t *testing.T) {
	dir := embeddedtest.Folder(t)
	synctest.Test(t, func(t *testing.T) {
		s, err := embedded.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		p := newPartials(s)
		want := func(want string) {
			t.Helper()
			synctest.Wait()
			if _, text := p.of(t.Context(), "call"); text != want {
				t.Errorf("%q is being said, not %q", text, want)
			}
		}
		say := func(text string) {
			s.Publish("call", 3, messages.Event{
				Key:  messages.Key{Kind: messages.KindPartial, Subject: "00_00000001"},
				Body: fmt.Appendf(nil, `{"type":"transcript","data":{"utterance":{"text":%q}}}`, text),
			})
		}
		want("")
		if !s.Followed("call") {
			t.Fatal("the session is not followed")
		}
		say(" Where is")
		want("Where is")
		for range 20 { // each look extends the time
			time.Sleep(followedFor / 2)
			want("")
			say(" Where is it")
			want("Where is it")
		}
		s.Publish("call", 4, messages.Event{Key: messages.Key{Kind: messages.KindAudioAck},
			Body: []byte(`{"type":"audio_chunk"}`)})
		want("Where is it")
		time.Sleep(followedFor + time.Second)
		synctest.Wait()
		if s.Followed("call") || len(p.all) > 0 {
			t.Errorf("nobody looks, and it is followed; %d are known", len(p.all))
		}
		want("")
		for i := range mostFollowed {
			p.of(t.Context(), fmt.Sprint("call ", i))
		}
		if len(p.all) != mostFollowed {
			t.Errorf("%d sessions are followed", len(p.all))
		}
		p.close()
		want("")
		if s.Followed("call") || len(p.all) > mostFollowed {
			t.Error("a session is followed after the end")
		}
	})
}
